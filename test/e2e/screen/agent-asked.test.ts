/** What another part of the app puts into the composer, while a message is on its way. */
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";
import { composer, log } from "./agent-page.ts";

it("a question about a stock stays when the message before it is accepted", async ({ desktop, script, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const model = await script([say("Done.")]);
  const page = await desktop("/stocks");
  const onItsWay = Promise.withResolvers<void>();
  const accepted = Promise.withResolvers<void>();
  await page.route("**/api/agent/turn", async (route) => {
    onItsWay.resolve();
    await accepted.promise;
    await route.continue();
  });
  await composer(page).fill(model.prompt("Look at it."));
  await composer(page).press("Enter");
  await onItsWay.promise;
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Ask the agent" }).click();
  await expect.poll(() => composer(page).inputValue()).toMatch(/\nAbout AAPL: $/);
  accepted.resolve();
  await log(page).getByText("Done.").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("About AAPL: ");
});
