/** Import and export on `/stocks`: what is understood, what is shown before it is written, what becomes of it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Page, Route } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { sampleStocks } from "../../support/browser/stock-samples.ts";
import type { tallyClient } from "../../support/browser/tally-client.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

type Tally = ReturnType<typeof tallyClient>;

const IMPORT = "/stocks?dialog=import";

const box = (page: Page) => page.getByLabel("Paste symbols, lines or a table");
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const fileInput = (page: Page) => page.getByLabel("File to import");
const counts = (page: Page) => page.getByRole("list", { name: "Lines by outcome" }).getByRole("listitem");

/** Cells of the preview's or the result's table, a line of it each. */
const rowsOf = async (page: Page): Promise<string[]> => {
  const rows = await page.locator(".import-rows tbody tr").all();
  return Promise.all(
    rows.map(async (row) => (await row.locator("td").allInnerTexts()).join(" | ").replace(/\s+/g, " ")),
  );
};

const preview = async (page: Page, typed: string, confirm: string): Promise<void> => {
  await box(page).fill(typed);
  await press(page, "Preview");
  await page.getByRole("button", { name: confirm, exact: true }).waitFor();
};

const finish = async (page: Page, confirm: string): Promise<void> => {
  await press(page, confirm);
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
};

/** What a person has said of each stock, by symbol: what an export holds and an import brings back. */
const valuesOf = async (tally: Tally) => {
  const { items } = await tally.act("list-stocks", { limit: 200, sort: "symbol" });
  return items.map(({ id, version, updatedAt, updatedVia, createdAt, ...values }) => values);
};

const csv = (content: string) => ({ name: "stocks.csv", mimeType: "text/csv", buffer: Buffer.from(content) });

it("pasted lines are previewed, added, and in the list at once", async ({ phone, tally }) => {
  const page = await phone(IMPORT, { colorScheme: "dark" });
  await preview(page, "AAPL 10 @ 180.5 USD #tech\nNASDAQ:MSFT\n\n5 apples", "Import 2 stocks");
  expect(await counts(page).allInnerTexts()).toEqual(["1 problem", "2 new", "1 left out"]);
  await expectNoAxeViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await finish(page, "Import 2 stocks");
  await expectNoAxeViolations(page);
  await press(page, "Done");
  await page.getByRole("main").getByText("AAPL").first().waitFor();
  expect(await valuesOf(tally)).toMatchObject([
    { symbol: "AAPL", quantity: "10", avgCost: "180.5", tags: ["tech"] },
    { symbol: "MSFT", exchange: "XNAS", watched: true },
  ]);
});

it("a German file is read in its own spelling, and what is left out is named", async ({ desktop, tally }) => {
  const page = await desktop(IMPORT);
  await fileInput(page).setInputFiles(
    csv("Wertpapier;Anzahl;Einstandskurs;Währung;Depot\nSAP;1.234,5;99,90;EUR;Nord\nALV;2;1.100,00;EUR;Nord\n"),
  );
  await page.getByRole("button", { name: "Import 2 stocks" }).waitFor();
  expect(await page.getByLabel("Separator").inputValue()).toBe(";");
  expect(await page.getByLabel("Numbers").inputValue()).toBe("comma");
  await page.getByText("4 used, left out: Depot").waitFor();
  expect(await page.getByText("No column says the currency").count()).toBe(0);
  await expectNoAxeViolations(page);
  await finish(page, "Import 2 stocks");
  expect(await valuesOf(tally)).toMatchObject([
    { symbol: "ALV", quantity: "2", avgCost: "1100", currency: "EUR" },
    { symbol: "SAP", quantity: "1234.5", avgCost: "99.9", currency: "EUR" },
  ]);
});

it("a column can be taken for something else than guessed", async ({ desktop, tally }) => {
  const page = await desktop(IMPORT);
  await preview(page, "Symbol,Shares,Goal\nAAPL,3,250\n", "Import 1 stock");
  await page.getByText("Columns", { exact: true }).click();
  await page.getByLabel("Column Goal holds").selectOption("High target");
  await page.getByText("sell target $250.00").waitFor();
  await page.getByLabel("Column Goal holds").selectOption("Quantity");
  expect(await page.getByLabel("Column Shares holds").inputValue()).toBe("");
  await page.getByText("2 used, left out: Shares").waitFor();
  await finish(page, "Import 1 stock");
  expect(await valuesOf(tally)).toMatchObject([{ symbol: "AAPL", quantity: "250", targetHigh: null }]);
});

it("the result of a long import begins at its heading", async ({ phone }) => {
  const page = await phone(IMPORT);
  const lines = Array.from({ length: 60 }, (_, index) => `Q${index} ${index + 1}`).join("\n");
  await preview(page, lines, "Import 60 stocks");
  await page.locator(".import-cards li").last().scrollIntoViewIfNeeded();
  await finish(page, "Import 60 stocks");
  const heading = page.getByRole("heading", { name: "Import finished" });
  const outOfSight = await heading.evaluate((element) => {
    const dialog = element.closest("dialog")?.querySelector("h2")?.getBoundingClientRect();
    return element.getBoundingClientRect().top < (dialog?.bottom ?? Number.POSITIVE_INFINITY);
  });
  expect(outOfSight).toBe(false);
});

it("amounts that can be read in two ways wait for the person's word", async ({ desktop, tally }) => {
  const page = await desktop(IMPORT);
  await preview(page, "Symbol;Quantity\nAAPL;1,234\n", "Nothing to import");
  await page.getByLabel("Numbers").selectOption("1.234,5");
  await finish(page, "Import 1 stock");
  expect(await valuesOf(tally)).toMatchObject([{ symbol: "AAPL", quantity: "1.234" }]);
  await press(page, "Undo import");
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
  await expect.poll(() => valuesOf(tally)).toEqual([]);
});

it("stocks that are there already are skipped, updated or reported, as chosen", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL", quantity: "1", notes: "Mine." }]);
  const page = await desktop(IMPORT);
  await preview(page, "AAPL 7\nMSFT\nAAPL 9\nAAPL 1,2,3", "Import 1 stock");
  await page.getByText("Options", { exact: true }).click();
  const conflict = page.getByLabel("Stocks already in the list");
  expect(await counts(page).allInnerTexts()).toEqual(["1 problem", "1 duplicate", "1 new", "1 will be skipped"]);
  await conflict.selectOption("Report them as problems");
  await page.getByText("1 not added", { exact: true }).waitFor();
  expect((await rowsOf(page))[1]).toBe("1 | AAPL 7 | Not added AAPL is already in your list.");
  await conflict.selectOption("Update them");
  await finish(page, "Import 2 stocks");
  expect(await counts(page).allInnerTexts()).toEqual(["1 problem", "1 duplicate", "1 updated", "1 added"]);
  expect(await valuesOf(tally)).toMatchObject([{ symbol: "AAPL", quantity: "7", notes: "Mine." }, { symbol: "MSFT" }]);
});

it("a connection that breaks in mid-import goes on without adding anything twice", async ({ desktop, tally }) => {
  const page = await desktop(IMPORT, { allow: [/ERR_/] });
  const lines = Array.from({ length: 250 }, (_, index) => `Q${index} ${index + 1}`).join("\n");
  await preview(page, lines, "Import 250 stocks");
  // The second batch is written, and its answer is lost. The route that was added last comes first.
  const loseAnswer = (route: Route) => route.fetch().then(() => route.abort());
  await page.route("**/add-stock", loseAnswer, { times: 1 });
  await page.route("**/add-stock", (route) => route.continue(), { times: 1 });
  await press(page, "Import 250 stocks");
  await page.getByRole("heading", { name: "Import paused" }).waitFor();
  await press(page, "Close");
  await press(page, "Continue");
  await press(page, "Resume");
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  expect(await counts(page).allInnerTexts()).toEqual(["250 added"]);
  const { items, total } = await tally.act("list-stocks", { limit: 200 });
  expect([total, items.every(({ version }) => version === 1)]).toEqual([250, true]);
});

it("Back closes the dialog, and the import goes on", async ({ desktop, link, tally }) => {
  const page = await desktop("/stocks", { at: link.url });
  await press(page, "Import");
  await preview(page, "AAPL\nMSFT", "Import 2 stocks");
  const letGo = link.hold("add-stock");
  await press(page, "Import 2 stocks");
  await page.getByRole("heading", { name: "Importing" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Importing" }).waitFor({ state: "detached" });
  letGo();
  await page.locator(".toast").getByText("Import finished: 2 stocks added or updated.").waitFor();
  expect(await tally.act("list-stocks", {})).toMatchObject({ total: 2 });
});

it("an import that is stopped says what was not sent, and gives it back as text", async ({ desktop, tally }) => {
  const page = await desktop(IMPORT, {
    allow: [/ERR_/],
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await preview(page, "Symbol,Name\nAAPL,Apple\nMSFT,Microsoft\n", "Import 2 stocks");
  await page.route("**/add-stock", (route) => route.abort());
  await press(page, "Import 2 stocks");
  await page.getByRole("heading", { name: "Import paused" }).waitFor();
  await press(page, "Stop");
  await press(page, "Stop the import");
  await page.getByText("2 lines are left over. Copy them, fix them and import again.").waitFor();
  await press(page, "Copy 2 lines");
  await page.getByText("Copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Symbol,Name\nAAPL,Apple\nMSFT,Microsoft");
  expect(await tally.act("list-stocks", {})).toMatchObject({ total: 0 });
});

it("an export comes back in unchanged, as CSV and as JSON", async ({ desktop, tally }) => {
  const formula = '=HYPERLINK("http://other.invalid","x")';
  const stocks = await tally.seedStocks([
    ...sampleStocks(30),
    { symbol: "ZZZ", name: formula, notes: "-1\n@b", tags: ["a;b", "+c"] },
  ]);
  const before = await valuesOf(tally);
  const page = await desktop("/stocks");
  // Before the stocks have come, an export says that they are still loading.
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  const [asCsv, asJson] = [await download(page, "Export as CSV"), await download(page, "Export as JSON")];
  await tally.act("delete-stock", { ids: stocks.map(({ id }) => id) });
  expect(asCsv).toContain(`,"'=HYPERLINK(""http://other.invalid"",""x"")",`);
  await page.goto(IMPORT);
  await preview(page, asCsv, "Import 31 stocks");
  await finish(page, "Import 31 stocks");
  expect(await valuesOf(tally)).toEqual(before);
  await press(page, "Import more");
  await preview(page, asJson, "Nothing to import");
  await page.getByText("31 stocks are in your list already. Under “Options” you can choose to update them.").waitFor();
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Stocks already in the list").selectOption("Update them");
  await finish(page, "Import 31 stocks");
  expect(await valuesOf(tally)).toEqual(before);
});

it("markup and formulas in a file stay text", async ({ desktop, tally }) => {
  const page = await desktop(IMPORT);
  const name = "=1+1<img src=x onerror=alert(1)>";
  await preview(page, `Symbol,Name\nAAPL,${name}\n<b>,x\n`, "Import 1 stock");
  expect(await page.locator(".import img, .import b").count()).toBe(0);
  await finish(page, "Import 1 stock");
  expect(await valuesOf(tally)).toMatchObject([{ symbol: "AAPL", name }]);
});

/** Time for fifty checks one after the other, in ms: 4 s of work, and more where others work too. */
const FIFTY_CHECKS_MS = 100_000;

it("five thousand lines show the first hundred, problems first", async ({ phone }) => {
  const page = await phone(IMPORT);
  const lines = Array.from({ length: 4_999 }, (_, index) => `Q${index}`).join("\n");
  await fileInput(page).setInputFiles(csv(`${lines}\nAAPL x`));
  await page.getByRole("button", { name: "Import 4,999 stocks" }).waitFor({ timeout: FIFTY_CHECKS_MS });
  expect(await page.locator(".import-cards li").count()).toBe(100);
  expect(await page.locator(".import-cards li").first().innerText()).toContain("Line 5000");
  await press(page, "Show 100 more of 4900");
  await waitForFocus(page.locator(".import-cards li").nth(100));
});

it("a file that is too large, or no text, is refused with a remedy", async ({ desktop }) => {
  const page = await desktop(IMPORT, { colorScheme: "dark" });
  const dir = mkdtempSync(join(tmpdir(), "tally-import-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  // From the disk: given as bytes, it goes to the page as base64, which takes longer than a step may on a machine with more to do.
  const large = join(dir, "stocks.csv");
  writeFileSync(large, "A".repeat(6_000_001));
  await fileInput(page).setInputFiles(large);
  await page.getByText("stocks.csv: The file is over 6 MB. Split it, or leave out columns.").waitFor();
  await expectNoAxeViolations(page);
  await fileInput(page).setInputFiles(csv("PK\u0003\u0004\0\0"));
  await page.getByText("stocks.csv: This is not a text file.").waitFor();
});

it("all of it goes by keyboard, and the focus is never lost", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await press(page, "Import");
  await box(page).waitFor();
  await page.keyboard.type("AAPL 10");
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole("button", { name: "Preview" }).press("Enter");
  await waitForFocus(page.getByRole("heading", { name: "Preview" }));
  await page.getByRole("button", { name: "Import 1 stock" }).press("Enter");
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  await expect.poll(focused).toBe("Import finished");
  await page.keyboard.press("Escape");
  await box(page).waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Import");
});

it("Escape asks before a pasted text is thrown away", async ({ desktop }) => {
  const page = await desktop(IMPORT);
  await box(page).fill("AAPL");
  await page.keyboard.press("Escape");
  await press(page, "Keep it");
  expect(await box(page).inputValue()).toBe("AAPL");
  await page.keyboard.press("Escape");
  await press(page, "Discard");
  await box(page).waitFor({ state: "detached" });
});

const download = async (page: Page, entry: string): Promise<string> => {
  await press(page, "List menu");
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, entry)]);
  expect(file.suggestedFilename()).toMatch(/^stocks-\d{4}-\d{2}-\d{2}\.(csv|json)$/);
  return text(await file.createReadStream());
};
