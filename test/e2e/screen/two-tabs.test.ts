/** Two tabs of the same person: what one does, the other shows. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { keepToast } from "../../support/browser/until-seen.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

const APPLE = { symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "200" };

it("a change by the agent of one tab shows in the other, without a request for the list", async ({
  desktop,
  tally,
  script,
}) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks");
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await other.getByRole("link", { name: "AAPL" }).waitFor();
  const lists: string[] = [];
  other.on("request", (request) => {
    if (/list-stocks\?limit=200/.test(request.url())) lists.push(request.url());
  });
  const model = await script([
    callTool("update-stock", { id: apple?.id, set: { lastPrice: "321" } }),
    callTool("add-stock", { symbol: "SAP" }),
    callTool("delete-stock", { id: apple?.id }),
    say("Done."),
  ]);
  await page.bringToFront();
  await sendMessage(page, model.prompt("Work."));
  await allowOnce(page);
  await other.getByRole("row", { name: /AAPL/ }).getByText("321").waitFor();
  await allowOnce(page.getByRole("group", { name: "Add SAP?" }));
  await other.getByRole("link", { name: "SAP" }).waitFor();
  await allowOnce(page.getByRole("group", { name: "Delete AAPL?" }));
  await other.getByRole("link", { name: "AAPL" }).waitFor({ state: "detached" });
  await runEnd(page).waitFor();
  expect(lists).toEqual([]);
});

it("a person's own deletion in one tab shows in the other", async ({ desktop, tally }) => {
  await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks");
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await other.getByRole("link", { name: "AAPL" }).waitFor();
  await page.getByRole("link", { name: "AAPL" }).focus();
  await page.keyboard.press("Delete");
  await keepToast(page, "AAPL deleted");
  await other.getByRole("heading", { name: "Start your list" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await other.getByRole("link", { name: "AAPL" }).waitFor();
});

it("a question answered in one tab is answered in the other", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Added.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Add SAP."));
  await page.getByRole("group", { name: "Add SAP?" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await allowOnce(other);
  await runEnd(page).waitFor();
  await runEnd(other).waitFor();
  expect(await page.getByRole("button", { name: "Allow once" }).count()).toBe(0);
  await log(page).getByText("You allowed this once.").waitFor();
});

it("drafts of two tabs do not mix", async ({ desktop }) => {
  const page = await desktop("/");
  await composer(page).fill("in the first");
  const other = await page.context().newPage();
  await other.goto("/");
  expect(await composer(other).inputValue()).toBe("");
});

/** A copy of the tab, as a browser makes it. */
const duplicate = async (page: Page): Promise<Page> => {
  const other = await page.context().newPage();
  await other.addInitScript(
    (kept) => Object.assign(sessionStorage, kept),
    await page.evaluate("({ ...sessionStorage })"),
  );
  await other.goto(page.url());
  await composer(other).waitFor();
  return other;
};

it("a duplicated tab has a new chat of its own, with what was being written", async ({ desktop, script }) => {
  const [first, second] = [await script([say("The first.")]), await script([say("The second.")])];
  const page = await desktop("/");
  await composer(page).fill(second.prompt("Tell me the second."));
  const other = await duplicate(page);
  const heard = await other.evaluateHandle(() => ({
    of: new Promise<void>((resolve) => addEventListener("storage", () => setTimeout(resolve))),
  }));
  await page.bringToFront();
  await sendMessage(page, first.prompt("Tell me the first."));
  await runEnd(page).waitFor();
  await heard.evaluate(({ of }) => of);
  await other.bringToFront();
  expect(await composer(other).inputValue()).toContain("Tell me the second.");
  await composer(other).press("Enter");
  await runEnd(other).waitFor();
  expect(await log(other).locator(".say").allInnerTexts()).toEqual(["The second."]);
  expect(new URL(other.url()).pathname).not.toBe(new URL(page.url()).pathname);
});

it("a duplicated tab that shows a chat has a new one of its own, once the other tab has left the one that it began", async ({
  desktop,
  script,
  tally,
}) => {
  const before = await script([say("From before.")]);
  await tally.eventsUntil(await tally.startTurn("before", before.prompt("An old one")), "run_end");
  const [first, second] = [await script([say("The first.")]), await script([say("The second.")])];
  const chats = (tab: Page) => tab.getByRole("navigation", { name: "Chats" });
  const page = await desktop("/");
  await composer(page).waitFor();
  await chats(page)
    .getByRole("link", { name: /An old one/ })
    .click();
  await log(page).getByText("From before.").waitFor();
  const other = await duplicate(page);
  await page.bringToFront();
  await chats(page).getByRole("button", { name: "New chat" }).click();
  await sendMessage(page, first.prompt("Tell me the first."));
  await runEnd(page).waitFor();
  await chats(page)
    .getByRole("link", { name: /An old one/ })
    .click();
  await log(page).getByText("From before.").waitFor();
  await other.bringToFront();
  await chats(other).getByRole("button", { name: "New chat" }).click();
  await other.getByText("What would you like to know?").waitFor();
  await sendMessage(other, second.prompt("Tell me the second."));
  await runEnd(other).waitFor();
  expect(await log(other).locator(".say").allInnerTexts()).toEqual(["The second."]);
});

it("a hidden tab does not ask about what the other changes, and shows the sums when it is looked at", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks");
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await other.getByRole("link", { name: "AAPL" }).waitFor();
  await other.getByRole("textbox", { name: /message/i }).waitFor();
  await hideTab(other);
  const asked: string[] = [];
  other.on("request", (request) => {
    if (/-stocks?\b/.test(request.url())) asked.push(request.url());
  });
  await page.goto("/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).fill("SAP 2 @ 50 USD");
  await page.getByRole("combobox", { name: "Symbol" }).press("Enter");
  await page.locator(".toast").getByText("SAP added").waitFor();
  // The tab hears of it, and shows it, without asking.
  await other.getByRole("link", { name: "SAP" }).waitFor();
  expect(asked).toEqual([]);
  const sums = other.waitForRequest(/list-stocks\?limit=1$/);
  await showTab(other);
  await sums;
});

it("a tab that hears of a change still reads its old list again when it is looked at", async ({ desktop, tally }) => {
  const [apple] = await tally.seedStocks([APPLE, { symbol: "SAP" }]);
  const page = await desktop("/stocks");
  const other = await page.context().newPage();
  await other.goto("/stocks");
  const row = other.getByRole("row", { name: /AAPL/ });
  await row.getByText("$200.00").waitFor();
  await other.clock.install();
  await hideTab(other);
  await tally.act("update-stock", { id: apple?.id ?? "", set: { lastPrice: "321" } });
  await other.clock.fastForward(31_000);
  await page.bringToFront();
  await page.getByRole("link", { name: "SAP" }).focus();
  await page.keyboard.press("Delete");
  await other.getByRole("link", { name: "SAP" }).waitFor({ state: "detached" });
  await showTab(other);
  await row.getByText("$321.00").waitFor();
});
