/** What a finger hits on a phone: at least 44 px of every control. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readyButton } from "../../support/browser/answer-card.ts";
import { it } from "../../support/browser/screen-test.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { callTool, say } from "../../support/model-script.ts";
import { question, runEnd, sendMessage } from "./agent-page.ts";
import { STOCKS } from "./stocks-page.ts";

const HELD = [
  { symbol: "SAP", quantity: "2", avgCost: "100", lastPrice: "120", currency: "EUR", exchange: "XETR" },
  { symbol: "VOD", quantity: "2", avgCost: "1", lastPrice: "2", currency: "GBP", tags: ["phones"] },
];

const none = (page: Page) => expect.poll(() => smallTargets(page)).toEqual([]);

it("in the list: as it comes, filtered, found nothing, selecting", async ({ phone, tally }) => {
  await tally.seedStocks([...STOCKS, ...HELD]);
  const page = await phone("/stocks");
  await page.getByText("6 stocks").waitFor();
  await none(page);
  await page.getByRole("button", { name: "Breakdown" }).tap();
  await page.getByRole("dialog", { name: "Breakdown" }).getByRole("table").waitFor();
  await none(page);
  await page.getByRole("button", { name: "Close" }).tap();
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("chips");
  await page.getByText("Found 2 of 6").waitFor();
  await none(page);
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("nothing at all");
  await page.getByRole("heading", { name: /No stocks match/ }).waitFor();
  await none(page);
  await page.locator(".list-status").getByRole("button", { name: "Clear search" }).tap();
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: /^Select/ }).tap();
  await page.getByRole("checkbox", { name: "Select SAP" }).check();
  await page.getByRole("region", { name: "Selected stocks" }).waitFor();
  await none(page);
});

it("in the form with everything open, the stock's page, and the trash", async ({ phone, tally }) => {
  const [stock, gone] = await tally.seedStocks([{ ...HELD[1], symbol: "VOD" }, { symbol: "GONE" }]);
  await tally.act("delete-stock", { id: gone?.id ?? "" });
  const page = await phone(`/stocks?dialog=edit&id=${stock?.id}`);
  await page.getByRole("button", { name: "Remove tag phones" }).waitFor();
  await none(page);
  await page.goto(`/stocks?dialog=detail&id=${stock?.id}`);
  await page.getByText("Added by you").waitFor();
  await none(page);
  await page.goto("/stocks?dialog=filters");
  await page.getByRole("dialog").getByRole("combobox", { name: "Currency" }).waitFor();
  await none(page);
  await page.goto("/stocks?trash=1");
  await page.getByRole("button", { name: "Restore GONE" }).waitFor();
  await none(page);
});

it("in a chat that begins, asks, and has ended", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Added SAP.")]);
  const page = await phone("/");
  await page.getByRole("textbox", { name: /message/i }).waitFor();
  await none(page);
  await sendMessage(page, model.prompt("Add SAP."));
  await question(page, "Add SAP").waitFor();
  await none(page);
  await (await readyButton(page, "Allow once")).tap();
  await runEnd(page).waitFor();
  await none(page);
  await page.getByRole("button", { name: "Chat menu" }).tap();
  await page.getByRole("button", { name: "Rename" }).waitFor();
  await none(page);
});
