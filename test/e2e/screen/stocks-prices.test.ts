/** Prices of a source on the screen: what they did today, how old they are, and what holds them (api.md §8). */
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { APPLE as LISTING } from "../../support/price-server/trading-day.ts";
import { waitForPrice } from "./prices-page.ts";
import { waitForRows } from "./stocks-page.ts";

const APPLE = { symbol: "AAPL", name: "Apple", exchange: "XNAS", quantity: "60", avgCost: "180" };

describe("a price of a source", () => {
  it("says what it did and of which close it is, on a phone", async ({ phone, tally, prices }) => {
    await prices({ listings: [LISTING] });
    await tally.seedStocks([APPLE]);
    await waitForPrice(tally, "AAPL");
    const page = await phone("/stocks", { colorScheme: "dark" });
    const card = page.getByRole("listitem").filter({ hasText: "Apple" });
    expect((await card.innerText()).replace(/\s+/g, " ")).toMatch(
      /^AAPL \+1\.33% XNAS \$11,430\.00 Apple \+\$630\.00\s*\+5\.83% 60 × \$190\.50 close, \w{3}$/,
    );
    await page.getByRole("region", { name: "Totals" }).getByText("+$150.00").waitFor();
    const credit = page.getByRole("link", { name: "Data provided by Twelve Data" });
    expect(await credit.getAttribute("href")).toBe("https://twelvedata.com");
    await expectNoAxeViolations(page);
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

describe("a linked stock", () => {
  it("whose price is set by hand says so, and takes the source's again", async ({ phone, tally, prices }) => {
    await prices({ listings: [LISTING] });
    const [apple] = await tally.seedStocks([APPLE]);
    await waitForPrice(tally, "AAPL");
    const page = await phone(`/stocks?dialog=detail&id=${apple?.id}`, { colorScheme: "dark" });
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Prices are those of AAPL, XNAS. Data provided by Twelve Data").waitFor();
    await dialog.getByLabel("New price").fill("77");
    await dialog.getByRole("button", { name: "Set", exact: true }).tap();
    await dialog.getByText(/You set this price by hand/).waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole("button", { name: "Use the source's price" }).tap();
    await dialog.getByText("$190.50").waitFor();
    await dialog.getByRole("button", { name: "Unlink" }).tap();
    await dialog.getByText(/Prices are those of/).waitFor({ state: "detached" });
  });
});
