/** Prices of a source on the screen: what they did today, how old they are, and what holds them (api.md §8). */
import { describe, expect } from "vitest";
import { DAY_MS } from "../../../src/contract/day.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { APPLE as LISTING } from "../../support/price-server/trading-day.ts";
import { waitForPrice } from "./prices-page.ts";
import { waitForRows } from "./stocks-page.ts";

const APPLE = { symbol: "AAPL", name: "Apple", exchange: "XNAS", quantity: "60", avgCost: "180" };

/** Of the thirty days before the listing's price. */
const CLOSES = Array.from({ length: 30 }, (_, index): [string, string] => [
  new Date(LISTING.at * 1_000 - (30 - index) * DAY_MS).toISOString().slice(0, 10),
  String(180 + index / 4),
]);

describe("a price of a source", () => {
  it("says what it did and of which close it is, on a phone", async ({ phone, tally, prices }) => {
    await prices({ listings: [LISTING] });
    await tally.seedStocks([APPLE]);
    await waitForPrice(tally, "AAPL");
    const page = await phone("/stocks", { colorScheme: "dark" });
    const card = page.getByRole("listitem").filter({ hasText: "Apple" });
    expect((await card.innerText()).replace(/\s+/g, " ")).toMatch(
      /^AAPL XNAS Apple 60 × \$190\.50 close, \w{3} \+1\.33% \$11,430\.00 \+\$630\.00 \+5\.83%$/,
    );
    await page.getByRole("region", { name: "Totals" }).getByText("+$150.00").waitFor();
    const credit = page.getByRole("link", { name: "Data provided by Twelve Data" });
    expect(await credit.getAttribute("href")).toBe("https://twelvedata.com");
    await expectNoAxeViolations(page);
  });

  it("gets the line of its last month without a reload, though the server had not fetched it yet", async ({
    desktop,
    tally,
    prices,
  }) => {
    await prices({ listings: [{ ...LISTING, closes: CLOSES }] });
    await tally.seedStocks([APPLE]);
    await expect.poll(async () => (await tally.act("list-stocks", { spark: true })).items[0]?.spark).toHaveLength(30);
    const page = await desktop("/", {});
    await page.route(
      /list-stocks.*spark/,
      async (route) => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          body: (await answer.text()).replace(/"spark":\[[^\]]*\]/g, '"spark":null'),
        });
      },
      { times: 1 },
    );
    await page.getByRole("link", { name: "Stocks" }).click();
    await page.getByRole("row").filter({ hasText: "Apple" }).locator("svg.spark").waitFor();
  });

  it("stands clear of what a stock is held at, with and without a name", async ({ phone, tally, prices }) => {
    await prices({
      listings: [LISTING, { ...LISTING, symbol: "MSFT" }].map((listing) => ({ ...listing, closes: CLOSES })),
    });
    await tally.seedStocks([
      { symbol: "AAPL", exchange: "XNAS", quantity: "12345", avgCost: "180" },
      { symbol: "MSFT", name: "Microsoft", exchange: "XNAS", quantity: "12345", avgCost: "180" },
    ]);
    await expect
      .poll(async () => (await tally.act("list-stocks", { spark: true })).items.map(({ spark }) => spark?.length))
      .toEqual([30, 30]);
    const page = await phone("/stocks");
    const gapOf = async (symbol: string): Promise<number> => {
      const card = page.getByRole("listitem").filter({ hasText: symbol });
      await card.locator("svg.spark").waitFor();
      const [today, held] = await Promise.all([
        card.locator(".did").boundingBox(),
        card.locator(".fine").boundingBox(),
      ]);
      return (held?.y ?? Number.NaN) - (today?.y ?? Number.NaN) - (today?.height ?? Number.NaN);
    };
    expect(Math.min(await gapOf("AAPL"), await gapOf("MSFT"))).toBeGreaterThanOrEqual(0);
  });

  it("has a column of its own in the table, to sort by", async ({ desktop, tally, prices }) => {
    await prices({
      listings: [LISTING, { ...LISTING, symbol: "MSFT", name: "Microsoft", price: "400", previousClose: "410" }],
    });
    await tally.seedStocks([APPLE, { symbol: "MSFT", exchange: "XNAS" }, { symbol: "ZZZ" }]);
    await waitForPrice(tally, "MSFT");
    const page = await desktop("/stocks", { colorScheme: "light" });
    await page.getByRole("cell", { name: "+1.33%" }).waitFor();
    await page.getByRole("button", { name: "Today", exact: true }).click();
    await waitForRows(page, "AAPL MSFT ZZZ");
    await page.waitForURL("**/stocks?sort=-dayChangePct");
    await page.getByRole("button", { name: "Today", exact: true }).click();
    await waitForRows(page, "MSFT AAPL ZZZ");
    await expectNoAxeViolations(page);
  });

  it("is read again for the chart of values when a holding has changed", async ({ desktop, tally, prices }) => {
    await prices({ listings: [{ ...LISTING, closes: CLOSES }] });
    await tally.seedStocks([APPLE, { symbol: "ZZZ" }]);
    await expect.poll(async () => (await tally.act("list-stocks", { spark: true })).items[0]?.spark).toHaveLength(30);
    const page = await desktop("/stocks");
    const open = page.getByRole("button", { name: "Breakdown" });
    await open.click();
    await page.getByRole("slider", { name: "Value of today's holdings" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Actions for ZZZ" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    const isReadAgain = page.waitForResponse("**/value-history?*");
    await open.click();
    await isReadAgain;
  });

  it("that is old is dimmed, and says how old it is", async ({ desktop, tally, prices }) => {
    await prices({ listings: [{ ...LISTING, at: LISTING.at - 40 * 86_400 }] });
    await tally.seedStocks([APPLE]);
    await waitForPrice(tally, "AAPL");
    const page = await desktop("/stocks", { colorScheme: "dark" });
    await page.locator("td.stale", { hasText: /\$190\.50\s*\d+ days old/ }).waitFor();
    await page.getByText(/· oldest price \d+ days ago/).waitFor();
    await expectNoAxeViolations(page);
  });
});

it("a list is sorted by gain in per cent, and says so", async ({ phone, desktop, tally }) => {
  await tally.seedStocks([APPLE]);
  const page = await phone("/stocks");
  const options = await page.getByRole("combobox", { name: "Sort by" }).getByRole("option").allInnerTexts();
  expect(options).toEqual(expect.arrayContaining(["Gain, %", "Today, %"]));
  const wide = await desktop("/stocks");
  await wide.getByRole("button", { name: "Gain %" }).waitFor();
});

it("newer prices are asked for by a press, which says how old they are, and once a minute", async ({
  desktop,
  phone,
  tally,
  prices,
}) => {
  const room = await prices({ listings: [LISTING] });
  const [apple] = await tally.seedStocks([APPLE]);
  await waitForPrice(tally, "AAPL");
  const page = await desktop("/stocks", { allow: [/429/] });
  await page.getByRole("cell", { name: "$190.50" }).waitFor();
  // Opened before: the minute begins with the first press.
  const detail = await phone(`/stocks?dialog=detail&id=${apple?.id}`, { allow: [/429/] });
  const refresh = detail.getByRole("dialog").getByRole("button", { name: "Refresh", exact: true });
  await refresh.waitFor();
  await room.set({ listings: [{ ...LISTING, price: "191", at: LISTING.at + 60 }] });
  await page.getByRole("button", { name: "Refresh prices" }).click();
  await page
    .locator(".toast")
    .getByText(/^The price is from \d+ days? ago\.$/)
    .waitFor();
  await page.getByRole("cell", { name: "$191.00" }).waitFor();
  await page.getByRole("button", { name: "Refresh prices", disabled: false }).click();
  await page
    .locator(".toast")
    .getByText(/^Prices were requested less than a minute ago\. The price is from \d+ days? ago\.$/)
    .waitFor();
  await refresh.tap();
  await detail
    .getByRole("dialog")
    .getByText(/^Prices were requested less than a minute ago\./)
    .waitFor();
  await expectNoAxeViolations(page);
});

it("the listings of a symbol are those in the currency that the stock has by now", async ({
  desktop,
  tally,
  prices,
}) => {
  const places = [
    { mic: "XNYS", market: "NYSE", currency: "USD" },
    { mic: "XMEX", market: "BMV", currency: "USD" },
    { mic: "XPAR", market: "Euronext", currency: "EUR" },
    { mic: "XMAD", market: "BME", currency: "EUR" },
  ];
  await prices({ listings: places.map((place) => ({ ...LISTING, symbol: "SAN", name: "Santander", ...place })) });
  const [stock] = await tally.seedStocks([{ symbol: "SAN", currency: "USD", quantity: "10" }]);
  const page = await desktop(`/stocks?dialog=detail&id=${stock?.id}`);
  const market = page.getByRole("region", { name: "Market" });
  await market.getByRole("button", { name: "Choose the market" }).click();
  const options = market.getByRole("list", { name: "Listings of SAN" }).getByRole("button");
  await market
    .getByText("In another currency: XPAR · EUR, XMAD · EUR. Edit the stock to change its currency.")
    .waitFor();
  expect(await options.allInnerTexts()).toEqual(["XNYS · USD Santander", "XMEX · USD Santander"]);
  const detail = page.getByRole("dialog", { name: "SAN", exact: true });
  const edit = page.getByRole("dialog", { name: "Edit SAN" });
  await detail.getByRole("button", { name: "Edit" }).click();
  await edit.getByRole("combobox", { name: "Currency" }).selectOption("EUR");
  await edit.getByRole("button", { name: "Save" }).click();
  await market
    .getByText("In another currency: XNYS · USD, XMEX · USD. Edit the stock to change its currency.")
    .waitFor();
  expect(await options.allInnerTexts()).toEqual(["XPAR · EUR Santander", "XMAD · EUR Santander"]);
  await edit.waitFor({ state: "detached" });
  await detail.getByRole("button", { name: "Edit" }).click();
  await edit.getByLabel("Symbol", { exact: true }).fill("SANX");
  await edit.getByRole("button", { name: "Save" }).click();
  await market.getByText("SANX has no market, so its price is not updated.").waitFor();
});

describe("a linked stock", () => {
  it("says without a network that its past prices wait for it, and shows them then", async ({
    desktop,
    tally,
    prices,
  }) => {
    await prices({
      listings: [LISTING, { ...LISTING, symbol: "MSFT" }].map((listing) => ({ ...listing, closes: CLOSES })),
    });
    await tally.seedStocks([APPLE, { symbol: "MSFT", exchange: "XNAS" }]);
    await waitForPrice(tally, "MSFT");
    const page = await desktop("/stocks", { allow: [/ERR_INTERNET_DISCONNECTED/] });
    await page.getByRole("link", { name: "AAPL" }).click();
    const chart = page.getByRole("region", { name: "Price history" });
    await chart.getByRole("slider", { name: "Closes of AAPL" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "MSFT" }).click();
    await chart.getByText("You are offline. Past prices will load once you are back online.").waitFor();
    await expectNoAxeViolations(page);
    await page.context().setOffline(false);
    await chart.getByRole("slider", { name: "Closes of MSFT" }).waitFor();
  });

  it("whose price is set by hand says so, and takes the source's again", async ({ phone, tally, prices }) => {
    await prices({ listings: [LISTING] });
    const [apple] = await tally.seedStocks([APPLE]);
    await waitForPrice(tally, "AAPL");
    const page = await phone(`/stocks?dialog=detail&id=${apple?.id}`, { colorScheme: "dark" });
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Prices come from AAPL, XNAS.").waitFor();
    await dialog.getByText("Data provided by Twelve Data").waitFor();
    await dialog.getByLabel("New price").fill("77");
    await dialog.getByRole("button", { name: "Set", exact: true }).tap();
    await dialog.getByText(/You set this price by hand/).waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole("button", { name: "Use the source's price" }).tap();
    await dialog.getByText("$190.50").waitFor();
    await dialog.getByRole("button", { name: "Unlink" }).tap();
    await dialog.getByText(/Prices come from/).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Use the source's prices" }).tap();
    await dialog.getByRole("button", { name: "Use the source's prices" }).waitFor({ state: "detached" });
    expect((await tally.act("get-stock", { id: apple?.id ?? "" })).stock).toMatchObject({ autoPrice: true });
  });
});
