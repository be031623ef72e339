/** What stays when a part of the page throws, and the way back. */
import type { Page, Route } from "playwright-core";
import { expect } from "vitest";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, question, runEnd, sendMessage } from "./agent-page.ts";

const STOCKS = [{ symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "200" }, { symbol: "SAP" }];

/** The list's pages; sums alone are asked for under another limit. */
const LIST = "**/_framework/actions/list-stocks?limit=200";

const STOCK = "**/_framework/actions/get-stock?*";

/** A page says what threw. */
const ALLOWED = [/console error: TypeError/];

/** The server's answer without a part that every answer has. */
const without =
  (part: string) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), [part]: null } });
  };

const alert = (page: Page) => page.getByRole("main").getByRole("alert");

const says = (page: Page) => alert(page).getByRole("heading", { level: 2, name: "Something went wrong here" });

it("a screen that breaks leaves the places and the agent, and comes back with its work", async ({
  desktop,
  tally,
  script,
}) => {
  await tally.seedStocks(STOCKS);
  const model = await script([callTool("add-stock", { symbol: "MSFT" }), say("Added.")]);
  const page = await desktop("/", { allow: ALLOWED });
  await composer(page).waitFor();
  const letListBeWhole = await answerInstead(page, LIST, without("totals"));
  await page.goto("/stocks");
  await says(page).waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Chat" }).waitFor();
  await composer(page).waitFor();
  await expectNoAxeViolations(page);
  await sendMessage(page, model.prompt("Add MSFT."));
  await allowOnce(question(page, "Add MSFT"));
  await runEnd(page).waitFor();
  letListBeWhole();
  await alert(page).getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /MSFT/ }).waitFor();
  expect(await alert(page).count()).toBe(0);
});

it("trying again asks the server for what broke the screen", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/", { allow: ALLOWED });
  await composer(page).waitFor();
  const letListBeWhole = await answerInstead(page, LIST, without("totals"));
  await page.goto("/stocks");
  await says(page).waitFor();
  letListBeWhole();
  await alert(page).getByRole("button", { name: "Try again" }).tap();
  await page.getByRole("listitem").filter({ hasText: "AAPL" }).waitFor();
  expect(await alert(page).count()).toBe(0);
});

it("a screen that breaks once more says so once more, and a reload brings it back", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/", { allow: ALLOWED });
  await composer(page).waitFor();
  const letListBeWhole = await answerInstead(page, LIST, without("totals"));
  await page.goto("/stocks");
  await says(page).waitFor();
  const again = page.waitForEvent("console", (message) => message.type() === "error");
  await alert(page).getByRole("button", { name: "Try again" }).tap();
  await again;
  await says(page).waitFor();
  letListBeWhole();
  await alert(page).getByRole("button", { name: "Reload the page" }).tap();
  await page.getByRole("listitem").filter({ hasText: "AAPL" }).waitFor();
});

it("a screen that breaks does not come along to another place", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/", { allow: ALLOWED });
  await composer(page).waitFor();
  await page.route(LIST, without("totals"));
  await page.goto("/stocks");
  await says(page).waitFor();
  await page.getByRole("link", { name: "Chat" }).first().tap();
  await composer(page).waitFor();
  expect(await alert(page).count()).toBe(0);
});

it("a dialog that breaks closes, says so, leaves the list, and can be opened again", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks", { allow: ALLOWED });
  const letStockBeWhole = await answerInstead(page, STOCK, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), events: [null] } });
  });
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("alert").getByText("Something went wrong here. Try again or reload the page.").waitFor();
  await page.waitForURL(/\/stocks$/);
  expect(await page.getByRole("dialog").count()).toBe(0);
  letStockBeWhole();
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: /AAPL/ }).getByText("Added by you").waitFor();
});

it("a browser that blocks the storage shows what to do, and no other does", async ({ phone }) => {
  const page = await phone("/stocks", { allow: [/The storage is blocked/] });
  const says = page.getByText("Tally needs cookies and site data. Allow them for this page and reload.");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await says.isVisible()).toBe(false);
  await page.addInitScript(() => {
    const get = () => {
      throw new Error("The storage is blocked.");
    };
    Object.defineProperties(globalThis, { localStorage: { get }, sessionStorage: { get } });
  });
  await page.reload();
  await says.waitFor();
});
