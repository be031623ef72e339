/** `/stocks` when there is nothing to show yet, nothing at all, or no answer. */
import { expect } from "vitest";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { untilSeen } from "../../support/browser/until-seen.ts";
import { callTool, say } from "../../support/model-script.ts";

it("shows rows of the final height while the list loads", async ({ phone, tally, link }) => {
  await tally.seedStocks([{ symbol: "AAPL", quantity: "1", avgCost: "1", lastPrice: "2" }]);
  const letGo = link.hold("list-stocks");
  const page = await phone("/stocks", { at: link.url });
  const skeleton = page.getByRole("status", { name: "Loading your stocks" });
  const before = await skeleton.boundingBox();
  const row = await skeleton.locator(".skeleton-row").first().boundingBox();
  await expectNoAxeViolations(page);
  letGo();
  const card = page.getByRole("listitem").filter({ hasText: "AAPL" });
  await card.waitFor();
  expect((await page.getByRole("tabpanel").boundingBox())?.y).toBe(before?.y);
  expect((await card.boundingBox())?.height).toBe(row?.height);
});

it("offers the same three ways to begin in an empty list and in an empty chat, and hints at the agent once", async ({
  phone,
}) => {
  const page = await phone("/", { colorScheme: "dark" });
  for (const way of ["Import a file", "Try an example list"]) await page.getByRole("button", { name: way }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add a stock" }).tap();
  await page.waitForURL("**/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).fill("AAPL");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.getByRole("button", { name: "Ask what I own" }).waitFor();
  await expectNoAxeViolations(page);
});

it("an example of what to ask is sent when it is pressed, and not lost when it cannot be", async ({ phone }) => {
  const page = await phone("/stocks", { allow: [/503/] });
  await page.route("**/api/agent/turn", (route) =>
    route.fulfill({ status: 503, json: { error: "The agent is unavailable. Try again." } }),
  );
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
  await expectNoAxeViolations(page);
  const sent = page.waitForRequest("**/api/agent/turn");
  await page.getByRole("button", { name: "Watch NVDA below 120" }).tap();
  expect((await sent).postDataJSON()).toMatchObject({ prompt: "Watch NVDA below 120" });
  await page.getByText("The agent is unavailable. Try again.").waitFor();
  expect(await page.getByRole("textbox", { name: /agent|message/i }).inputValue()).toBe("Watch NVDA below 120");
});

it("says that the list could not be loaded, and loads it when asked again", async ({ phone, tally, link }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const letGo = link.hold("list-stocks");
  const page = await phone("/stocks", { at: link.url, allow: [/ERR_/, /^page error: $/] });
  await page.getByRole("status", { name: "Loading your stocks" }).waitFor();
  link.goDown();
  letGo();
  await page.getByRole("heading", { name: "Your stocks could not be loaded" }).waitFor();
  await expectNoAxeViolations(page);
  // By itself the page would find the server again after some seconds, and the button would be gone.
  await page.route("**/icon.svg", (route) => route.abort());
  link.goUp();
  await page.getByRole("button", { name: "Try again" }).tap();
  await page.getByRole("listitem").filter({ hasText: "AAPL" }).waitFor();
});

it("lights up the row that the agent has changed, and says who did it", async ({ desktop, tally, script }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/stocks", { reducedMotion: "reduce" });
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  const model = await script([callTool("add-stock", { symbol: "MSFT" }), say("Added.")]);
  // It lasts for two seconds.
  const isLit = untilSeen(page, ".flash", "MSFT");
  await page.getByRole("textbox", { name: /agent|message/i }).fill(model.prompt("Add MSFT"));
  await page.keyboard.press("Enter");
  await allowOnce(page);
  await isLit;
  await page.getByRole("row", { name: /MSFT added by agent/ }).waitFor();
  await page.locator(".flash").waitFor({ state: "detached" });
});
