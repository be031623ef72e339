/**
 * What another day brings, or the cron, planted in the database of a site of the file's own: a split that waits (the badge, the card
 * that asks, a change from elsewhere in between, Undo, "Does not apply", the agent that proposes it), a target that was told, a device
 * that lapsed.
 */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext, loseAnswer } from "../../support/browser/hold-next.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { addLapsedDevice, setStockColumn } from "../../support/browser/site-database.ts";
import { callTool, say } from "../../support/model-script.ts";
import { APPLE as LISTING } from "../../support/price-server/trading-day.ts";
import { runEnd, sendMessage } from "./agent-page.ts";

const it = itOnOwnSite({ args: ["--auth"] });

/** The next change that the server has taken. */
const saved = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());

/** As a person who had devices did, before they lapsed. */
const choosePushes = (page: Page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ notices: { permission: "push" } });
    await fetch("/_framework/settings", { method: "PATCH", headers: { "content-type": "application/json" }, body });
  });

const SPLIT = { day: "2026-06-10", numerator: 10, denominator: 1 };

it("is applied after a change from elsewhere, undone, and left alone where it is not theirs", async ({
  phone,
  tally,
  site,
}) => {
  const [held, other, bare] = await tally.seedStocks([
    { symbol: "NVDA", quantity: "25", avgCost: "118.2", targetHigh: "120", lastPrice: "119", currency: "USD" },
    { symbol: "OTHR", quantity: "9", currency: "USD" },
    { symbol: "BARE", currency: "USD" },
  ]);
  const id = held?.id ?? "";
  // Through the source it could not come before the day after the stock was linked.
  for (const stock of [held, other, bare]) setStockColumn(site, stock?.id ?? "", "pending_split", SPLIT);
  const page = await phone("/stocks", { colorScheme: "dark", allow: [/409/] });
  await page.getByRole("listitem").filter({ hasText: "NVDA" }).getByText("split", { exact: true }).waitFor();
  // The list shows it first; its version comes with the stock.
  const read = page.waitForResponse((response) => response.url().includes("/get-stock") && response.ok());
  await page.getByRole("link", { name: "NVDA" }).tap();
  await read;
  const dialog = page.getByRole("dialog");
  const card = dialog.getByRole("region", { name: "Split" });
  await card.getByText("25 × $118.20 becomes 250 × $11.82, target $120.00 becomes $12.00.").waitFor();
  await expectNoAxeViolations(page);

  const elsewhere = await tally.act("update-stock", { id, set: { notes: "From another device" } });
  await card.getByRole("button", { name: "Apply", exact: true }).tap();
  await card.getByText("It was changed elsewhere meanwhile. Check it, then try again.").waitFor();
  await dialog.getByText("From another device").first().waitFor();
  expect((await tally.act("get-stock", { id })).stock.version).toBe(elsewhere.stock.version);
  await card.getByRole("button", { name: "Apply", exact: true, disabled: false }).tap();
  await card.getByText("The split of NVDA is applied.").waitFor();
  await page.locator(".vh[aria-live]").getByText("The split of NVDA is applied.").waitFor({ state: "attached" });
  const values = async (of: string) => {
    const { quantity, avgCost, targetHigh, pendingSplit } = (await tally.act("get-stock", { id: of })).stock;
    return { quantity, avgCost, targetHigh, pendingSplit };
  };
  expect(await values(id)).toEqual({ quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null });

  await card.getByRole("button", { name: "Undo", disabled: false }).tap();
  await card.getByText("25 × $118.20 becomes 250 × $11.82, target $120.00 becomes $12.00.").waitFor();
  expect(await values(id)).toEqual({ quantity: "25", avgCost: "118.2", targetHigh: "120", pendingSplit: SPLIT });
  await card.getByRole("button", { name: "Apply", exact: true, disabled: false }).tap();
  await card.getByText("The split of NVDA is applied.").waitFor();
  expect(await values(id)).toEqual({ quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null });

  await page.goto(`/stocks?dialog=detail&id=${other?.id}`);
  await card.getByText("9 becomes 90.").waitFor();
  await card.getByRole("button", { name: "Does not apply" }).tap();
  await card.getByText("The split of OTHR is dismissed.").waitFor();
  expect(await values(other?.id ?? "")).toMatchObject({ quantity: "9", pendingSplit: null });
  await page.goto(`/stocks?dialog=detail&id=${bare?.id}`);
  await card.getByText("BARE split 10:1 on 10 Jun: there is no quantity, cost or target to change.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listitem").filter({ hasText: "OTHR" }).getByText("split", { exact: true }).waitFor({
    state: "detached",
  });
});

it("is applied once where its answer was lost, and can be undone", async ({ phone, tally, site }) => {
  const [held] = await tally.seedStocks([{ symbol: "NVDA", quantity: "25", currency: "USD" }]);
  const id = held?.id ?? "";
  setStockColumn(site, id, "pending_split", SPLIT);
  const page = await phone(`/stocks?dialog=detail&id=${id}`, { allow: [/Failed to load resource/, /ERR_/] });
  const card = page.getByRole("dialog").getByRole("region", { name: "Split" });
  await loseAnswer(page, "**/update-stock");
  await card.getByRole("button", { name: "Apply", exact: true }).tap();
  await card.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  // The stock is read again, and has no open split any more.
  await card.getByRole("button", { name: "Try again", disabled: false }).tap();
  await card.getByText("The split of NVDA is applied.").waitFor();
  const quantity = async () => (await tally.act("get-stock", { id })).stock.quantity;
  expect(await quantity()).toBe("250");
  await card.getByRole("button", { name: "Undo", disabled: false }).tap();
  await card.getByText("25 becomes 250.").waitFor();
  expect(await quantity()).toBe("25");
});

it("is proposed by the agent in the same words, applied when that is allowed, and undone with its turn", async ({
  desktop,
  script,
  tally,
  site,
}) => {
  const [held] = await tally.seedStocks([
    { symbol: "NVDA", quantity: "25", avgCost: "118.2", targetHigh: "120", lastPrice: "119", currency: "USD" },
  ]);
  const id = held?.id ?? "";
  setStockColumn(site, id, "pending_split", SPLIT);
  const model = await script([
    callTool("list-stocks", {}),
    callTool("update-stock", { id, version: 1, split: { day: SPLIT.day, answer: "apply" } }),
    say("Applied."),
  ]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Why did NVIDIA fall so much?"));
  const card = page.getByRole("group", { name: "Apply the split of NVDA?" });
  await card
    .getByText("NVDA split 10:1 on 10 Jun: 25 × $118.20 becomes 250 × $11.82, target $120.00 becomes $12.00.")
    .waitFor();
  await expectNoAxeViolations(page);
  await allowOnce(page);
  await runEnd(page).waitFor();
  const values = async () => {
    const { quantity, avgCost, targetHigh, pendingSplit } = (await tally.act("get-stock", { id })).stock;
    return { quantity, avgCost, targetHigh, pendingSplit };
  };
  expect(await values()).toEqual({ quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null });
  await page.getByRole("button", { name: "Undo changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await dialog.getByRole("button", { name: "Undo", exact: true }).click();
  await dialog.getByText("got its earlier values back").waitFor();
  expect(await values()).toEqual({ quantity: "25", avgCost: "118.2", targetHigh: "120", pendingSplit: SPLIT });
});

describe("a stock whose symbol several listings have", () => {
  const LISTINGS = [
    { ...LISTING, symbol: "SAN", mic: "XPAR", market: "Euronext", name: "Sanofi", currency: "EUR" },
    { ...LISTING, symbol: "SAN", mic: "XMAD", market: "BME", name: "Banco Santander", currency: "EUR" },
    { ...LISTING, symbol: "SAN", mic: "XNYS", market: "NYSE", name: "Banco Santander", currency: "USD" },
  ];

  it("takes the market that its person chooses, and its targets are told of", async ({
    phone,
    tally,
    prices,
    site,
  }) => {
    await prices({ listings: LISTINGS });
    const [stock] = await tally.seedStocks([{ symbol: "SAN", currency: "EUR", quantity: "10", targetLow: "150" }]);
    const id = stock?.id ?? "";
    setStockColumn(site, id, "last_alert", { side: "low", at: new Date().toISOString(), price: "149.5" });
    const page = await phone(`/stocks?dialog=detail&id=${id}`, { colorScheme: "dark" });
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Last told .+: buy target reached at €149\.50\.$/).waitFor();
    const notice = dialog.getByRole("checkbox", { name: "Tell me when the price reaches a target" });
    await notice.check();
    await dialog.getByText("Only prices from a source are watched, and this stock has none.").waitFor();
    // It is on from the press; that it is saved takes a request.
    await expect.poll(async () => (await tally.act("get-stock", { id })).stock.notify).toBe(true);

    const market = dialog.getByRole("region", { name: "Market" });
    await market.getByRole("button", { name: "Choose the market" }).tap();
    await market.getByText("In another currency: XNYS · USD. Edit the stock to change its currency.").waitFor();
    const options = market.getByRole("list", { name: "Listings of SAN" }).getByRole("button");
    expect(await options.allInnerTexts()).toEqual(["XPAR · EUR Sanofi", "XMAD · EUR Banco Santander"]);
    await expectNoAxeViolations(page);
    await options.first().tap();
    await dialog.getByText("Prices come from SAN, XPAR.").waitFor();
    // The page looks for the price three times in its first seconds. How soon the server has it is not what this is about.
    await expect.poll(async () => (await tally.act("get-stock", { id })).stock.lastPrice).toBe("190.5");
    await page.reload();
    await dialog.getByText("€190.50").first().waitFor();
    await dialog.getByText("Sent by email.").waitFor();
    expect((await tally.act("get-stock", { id })).stock).toMatchObject({
      ...{ exchange: "XPAR", notify: true, quantity: "10" },
      instrument: { symbol: "SAN", exchange: "XPAR", source: "twelvedata" },
    });
    await expectNoAxeViolations(page);
  });

  it("that has only its ISIN takes the symbol of the listing that its person chooses", async ({
    phone,
    tally,
    prices,
  }) => {
    const asml = { ...LISTING, name: "ASML Holding", isin: "NL0010273215" };
    const amsterdam = { ...asml, symbol: "ASML", mic: "XAMS", market: "AS", currency: "EUR" };
    const other = {
      ...LISTING,
      symbol: "OTHER",
      mic: "XAMS",
      market: "AS",
      name: "About NL0010273215",
      isin: "NL0000009165",
    };
    await prices({ listings: [amsterdam, { ...asml, symbol: "ASML", market: "US" }, other] }, "eodhd");
    const [stock] = await tally.seedStocks([
      { symbol: "NL0010273215", isin: "NL0010273215", currency: "EUR", quantity: "2" },
    ]);
    const id = stock?.id ?? "";
    const page = await phone(`/stocks?dialog=detail&id=${id}`);
    const market = page.getByRole("dialog").getByRole("region", { name: "Market" });
    await market.getByRole("button", { name: "Find its symbol" }).tap();
    const options = market.getByRole("list", { name: "Listings of NL0010273215" }).getByRole("button");
    await options.first().waitFor();
    expect(await options.allInnerTexts()).toEqual(["ASML · XAMS · EUR ASML Holding"]);
    await expectNoAxeViolations(page);
    await options.first().tap();
    await page.getByRole("dialog", { name: "ASML" }).getByText("€190.50").waitFor();
    expect((await tally.act("get-stock", { id })).stock).toMatchObject({
      ...{ symbol: "ASML", exchange: "XAMS", isin: "NL0010273215", name: "ASML Holding", quantity: "2" },
      instrument: { symbol: "ASML.AS", exchange: "XAMS", source: "eodhd" },
    });
  });

  it("whose symbol ends in a market is looked for without that ending", async ({ phone, tally, prices }) => {
    const vodafone = { ...LISTING, symbol: "VOD", mic: "XLON", market: "LSE", name: "Vodafone", currency: "GBX" };
    await prices({ listings: [vodafone] });
    const [stock] = await tally.seedStocks([{ symbol: "VOD.L", currency: "GBP" }]);
    const page = await phone(`/stocks?dialog=detail&id=${stock?.id}`);
    await page.getByRole("button", { name: "Choose the market" }).tap();
    await page.getByText("The price source has no VOD in GBP. In another currency: XLON · GBX.").waitFor();
  });
});

it("who wants pushes hears that none reach the devices they had", async ({ phone, person, site }) => {
  addLapsedDevice(site, person.email, "Chrome on Android");
  const page = await phone("/stocks", { colorScheme: "dark" });
  await choosePushes(page);
  await openAccount(page, person.email);
  await page
    .getByText(
      "Push notifications are off on this server for now. Email is sent instead, except when the agent has finished.",
    )
    .waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  const taken = saved(page);
  await page.getByLabel("When the agent needs an answer").selectOption("Email");
  await taken;
  await page.getByText("Push notifications are off on this server").waitFor({ state: "detached" });
});

it("a device that lapsed is listed as off, and no more is said of it once it is removed", async ({
  phone,
  person,
  site,
}) => {
  addLapsedDevice(site, person.email, "Chrome on Android");
  addLapsedDevice(site, person.email, "Firefox on Linux");
  const page = await phone("/stocks");
  await choosePushes(page);
  await openAccount(page, person.email);
  const device = (label: string) => page.getByRole("listitem").filter({ hasText: label });
  for (const label of ["Chrome on Android", "Firefox on Linux"]) {
    await device(label).getByText("Off", { exact: true }).waitFor();
    await device(label)
      .getByRole("button", { name: `Remove ${label}` })
      .tap();
    await device(label).waitFor({ state: "detached" });
    await page.locator("dialog[open] :focus").waitFor();
  }
  await page.getByText("Push notifications are off on this server").waitFor({ state: "detached" });
  await page.getByText("Nothing is pushed yet: no device is turned on.").waitFor();
  const listed = await page.evaluate(async () => await (await fetch("/_framework/push")).json());
  expect(listed).toEqual({ publicKey: null, devices: [], lapsed: [] });
});

it("a device can be removed while another one's removal is on its way", async ({ phone, person, site }) => {
  addLapsedDevice(site, person.email, "Chrome on Android");
  addLapsedDevice(site, person.email, "Firefox on Linux");
  const page = await phone("/stocks");
  await openAccount(page, person.email);
  const device = (label: string) => page.getByRole("listitem").filter({ hasText: label });
  const remove = (label: string) =>
    device(label)
      .getByRole("button", { name: `Remove ${label}` })
      .tap();
  const letGo = await holdNext(page, "**/_framework/push/*", { method: "DELETE" });
  await remove("Chrome on Android");
  await device("Chrome on Android").getByText("Removing…").waitFor();
  await remove("Firefox on Linux");
  await device("Firefox on Linux").waitFor({ state: "detached" });
  letGo();
  await device("Chrome on Android").waitFor({ state: "detached" });
});
