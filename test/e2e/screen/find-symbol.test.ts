/** Finding a stock by its name in the add dialog: a combobox over one's own list and the source of prices. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";

const it = itOnOwnSite({ args: ["--demo", "--auth"] });

it("a name typed by keyboard finds its listings, and the one picked fills the form and gets its price", async ({
  desktop,
  tally,
}) => {
  const page = await desktop("/stocks?dialog=add");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.pressSequentially("vodaf");
  const list = page.getByRole("listbox", { name: "Stocks that fit" });
  const options = list.getByRole("option");
  await expect.poll(() => options.count()).toBe(3);
  await page.getByRole("status").getByText("3 matches.").waitFor({ state: "attached" });
  expect(await symbol.getAttribute("aria-expanded")).toBe("true");
  expect(await symbol.getAttribute("aria-activedescendant")).toBe(null);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  const first = list.getByRole("option", { name: "VOD Vodafone Group XLON · GBX" });
  expect(await first.getAttribute("aria-selected")).toBe("true");
  expect(await symbol.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await list.waitFor({ state: "detached" });
  expect(await symbol.inputValue()).toBe("VOD");
  expect(await symbol.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Vodafone Group");
  expect(await page.getByLabel("Currency").inputValue()).toBe("GBX");
  expect(await page.getByLabel("Exchange").inputValue()).toBe("XLON");
  await page.keyboard.press("Enter");
  await page.getByText("VOD added").waitFor();
  await page.getByText("Vodafone Group").waitFor();
  await expect.poll(async () => (await tally.act("get-stock", { symbol: "VOD" })).stock.lastPriceSource).toBe("demo");
  const { stock } = await tally.act("get-stock", { symbol: "VOD" });
  expect(stock).toMatchObject({ exchange: "XLON", currency: "GBX", instrument: { source: "demo", symbol: "VOD" } });
  // The page shows it without being loaded again.
  await page.locator("[data-id] time").first().waitFor();
});

it("a finger picks a listing, which says when its prices are not in the plan", async ({ phone, tally }) => {
  const page = await phone("/stocks?dialog=add", { colorScheme: "dark" });
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("nestl");
  const option = page.getByRole("option", { name: "NESN Nestlé XSWX · CHF not in your plan" });
  await option.waitFor();
  expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectNoAxeViolations(page);
  await option.tap();
  expect(await symbol.inputValue()).toBe("NESN");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.getByText("NESN added").waitFor();
  expect((await tally.act("get-stock", { symbol: "NESN" })).stock).toMatchObject({ name: "Nestlé", currency: "CHF" });
});

it("one's own stock comes first, and opens", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "VOD", exchange: "XLON", currency: "GBX", name: "Vodafone Group" }]);
  const page = await desktop("/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).pressSequentially("vodaf");
  const options = page.getByRole("listbox").getByRole("option");
  await expect.poll(() => options.count()).toBe(3);
  expect(await options.first().textContent()).toContain("in your list");
  await options.first().click();
  await page.getByRole("dialog", { name: "VOD XLON" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
});

it("Escape closes the list and leaves the dialog, and typing on without picking adds what was typed", async ({
  desktop,
  tally,
}) => {
  const page = await desktop("/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).pressSequentially("voda");
  const list = page.getByRole("listbox");
  await list.waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "Add a stock" }).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("VODX 3 @ 7");
  await page.keyboard.press("Enter");
  await page.getByText("VODX added").waitFor();
  expect((await tally.act("get-stock", { symbol: "VODX" })).stock).toMatchObject({ quantity: "3", exchange: null });
});

it("a search that fails says so in place, and keeps nobody from adding", async ({ phone, tally }) => {
  const page = await phone("/stocks?dialog=add", { allow: [/find-symbol/, /ERR_/] });
  await page.route("**/find-symbol", (route) => route.abort());
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("vodaf");
  await page.getByText("Search is not available: The server cannot be reached.").first().waitFor();
  await expectNoAxeViolations(page);
  await symbol.fill("VOD");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.getByText("VOD added").waitFor();
  expect((await tally.act("list-stocks", {})).total).toBe(1);
});
