/** The example list: an empty list offers it, and one tap takes away what nobody has changed (decision 0124). */
import { expect } from "vitest";
import { EXAMPLE_LIST } from "../../../src/contract/prices/example-list.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

it("an empty list offers it, without prices where there is no source, and it goes and comes back", async ({
  phone,
  tally,
  link,
}) => {
  const page = await phone("/stocks", { at: link.url });
  await page.getByRole("button", { name: "Try an example list" }).tap();
  const bar = page.getByRole("region", { name: "Example list" });
  await bar.getByText("12 examples").waitFor();
  await expectNoAxeViolations(page);
  const { items } = await tally.act("list-stocks", {});
  expect(new Set(items.map(({ symbol }) => symbol))).toEqual(new Set(EXAMPLE_LIST.map(({ symbol }) => symbol)));
  expect(items.filter(({ lastPrice, priceState }) => lastPrice !== null || priceState !== "none")).toEqual([]);
  const remove = bar.getByRole("button", { name: "Remove 12 examples" });
  // As fast as one can press: nothing has reached the server before the last press.
  const release = link.hold("actions/delete-stock");
  await remove.tap();
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).tap();
  await remove.tap();
  const added = page.waitForResponse(
    (response) => response.url().endsWith("/add-stock") && !response.request().postData()?.includes("dryRun"),
  );
  await page.getByRole("button", { name: "Try an example list" }).tap();
  release();
  await added;
  await bar.getByText("12 examples").waitFor();
  expect((await tally.act("list-stocks", {})).total).toBe(12);
});

it("the bar that takes it away does not move the rows when it comes", async ({ phone, tally, link }) => {
  await tally.seedStocks(EXAMPLE_LIST);
  const letGo = link.hold("assets/list-extras");
  const page = await phone("/stocks", { at: link.url });
  const row = page.getByRole("link", { name: "AAPL" });
  const before = await row.evaluate((one) => one.getBoundingClientRect().top);
  letGo();
  await page.getByRole("button", { name: "Remove 12 examples" }).waitFor();
  expect(await row.evaluate((one) => one.getBoundingClientRect().top)).toBe(before);
});

it("a new chat on a phone begins at its top, with ways to begin that are all as wide", async ({ phone }) => {
  const page = await phone("/");
  const ways = page.locator(".start-ways .btn");
  await ways.nth(2).waitFor();
  await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
  expect(await page.getByRole("log").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await page.goto("/stocks");
  await ways.nth(2).waitFor();
  const widths = await ways.evaluateAll((buttons) => buttons.map(({ clientWidth }) => clientWidth));
  expect(new Set(widths).size).toBe(1);
  // What each is for is said of all three.
  await page.getByText("A symbol is enough.").waitFor();
  await page.getByText("To look around.").waitFor();
});

it("a stock that its person changed stays, and the bar says so before", async ({ desktop, tally }) => {
  await tally.seedStocks([...EXAMPLE_LIST, { symbol: "MINE" }]);
  const change = async (symbol: string, set: Readonly<Record<string, unknown>>): Promise<void> => {
    const { stock } = await tally.act("get-stock", { symbol });
    await tally.act("update-stock", { id: stock.id, set });
  };
  await change("AAPL", { quantity: "13" });
  await change("KO", { notes: "From my aunt" });
  await change("NVDA", { lastPrice: "120" });
  const page = await desktop("/stocks");
  const bar = page.getByRole("region", { name: "Example list" });
  await bar.getByText("Examples · 3 that you changed stay").waitFor();
  await expectNoAxeViolations(page);
  await bar.getByRole("button", { name: "Remove 9 examples" }).click();
  await bar.waitFor({ state: "detached" });
  const left = async () => (await tally.act("list-stocks", {})).items.map(({ symbol }) => symbol);
  await expect.poll(left).toEqual(["AAPL", "KO", "MINE", "NVDA"]);
});

it("a stock of one's own that waits in the trash is left there as it was", async ({ desktop, tally }) => {
  const [own] = await tally.seedStocks([{ symbol: "SAP", exchange: "XETR", quantity: "7", currency: "EUR" }]);
  await tally.act("delete-stock", { ids: own === undefined ? [] : [own.id] });
  const page = await desktop("/stocks");
  await page.getByRole("button", { name: "Try an example list" }).click();
  await page.locator(".toast").getByText("Left out, because you have deleted them: SAP.").waitFor();
  await page.getByText("11 examples").waitFor();
  const { items } = await tally.act("list-stocks", { deleted: true });
  expect(items).toMatchObject([{ symbol: "SAP", quantity: "7" }]);
});

it("says when it could not be added, and can be tried again", async ({ desktop, link }) => {
  const page = await desktop("/stocks", { at: link.url, allow: [/ERR_/, /^page error: $/] });
  const button = page.getByRole("button", { name: "Try an example list" });
  await button.waitFor();
  await page.route("**/add-stock", (route) => route.abort(), { times: 1 });
  await button.click();
  await page.getByText("The example list was not added. The server cannot be reached.").waitFor();
  await button.click();
  await page.getByText("12 examples").waitFor();
});
