/** What another part of the app puts into the composer, while a message is on its way. */
import type { Page, Route } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

const TURN = "**/api/agent/turn";

/** Has the server take the next turn. Its answer is lost once `lose` is called. */
const holdAnswer = async (page: Page): Promise<{ readonly isTaken: Promise<void>; readonly lose: () => void }> => {
  const [taken, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = async (route: Route): Promise<void> => {
    await route.fetch();
    taken.resolve();
    await lost.promise;
    await route.abort("connectionreset");
  };
  await page.route(TURN, answer, { times: 1 });
  return { isTaken: taken.promise, lose: lost.resolve };
};

/** What is sent next, and its key. */
const nextSend = async (page: Page) => {
  const request = await page.waitForRequest(TURN);
  return { prompt: request.postDataJSON().prompt, key: request.headers()["idempotency-key"] };
};

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

it("a question about a stock is no part of the message before it whose answer was lost", async ({
  desktop,
  script,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const model = await script([say("Done.")]);
  const page = await desktop("/stocks", { allow: [/ERR_/] });
  const { isTaken, lose } = await holdAnswer(page);
  const first = nextSend(page);
  await sendMessage(page, model.prompt("Look at it."));
  await isTaken;
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Ask the agent" }).click();
  await expect.poll(() => composer(page).inputValue()).toMatch(/\nAbout AAPL: $/);
  lose();
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  const again = nextSend(page);
  await composer(page).press("Enter");
  expect(await again).toEqual(await first);
  await log(page).getByText("Done.").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("About AAPL: ");
});

it("a message to change waits for the one that is on its way, which is sent again as it was", async ({
  desktop,
  script,
}) => {
  const model = await script([say("About apples."), say("About pears.")]);
  const page = await desktop("/", { allow: [/ERR_/] });
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  const { isTaken, lose } = await holdAnswer(page);
  const first = nextSend(page);
  await sendMessage(page, "Pears");
  await isTaken;
  await page.getByRole("button", { name: "Edit" }).click();
  expect(await composer(page).inputValue()).toBe("Pears");
  lose();
  await expect.poll(() => composer(page).inputValue()).toContain("Apples");
  await page.getByRole("button", { name: "Keep it as it was" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("Pears");
  const again = nextSend(page);
  await composer(page).press("Enter");
  expect(await again).toEqual(await first);
  await log(page).getByText("About pears.").waitFor();
});
