/** What an opened stock says: how far its targets are, whose its price is, and where its price is set. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { APPLE as LISTING, tradingDay } from "../../support/price-server/trading-day.ts";
import { waitForPrice } from "./prices-page.ts";

/** Both the term and what is said of it, in one line. */
const fact = (page: Page, term: string): Promise<string> =>
  page
    .getByRole("dialog")
    .locator(".facts > div", { hasText: term })
    .innerText()
    .then((text) => text.replace(/\s+/g, " "));

it("names the target that is nearest, in the words of the list", async ({ phone, tally }) => {
  const [high, low] = await tally.seedStocks([
    { symbol: "KO", lastPrice: "68", targetLow: "55", targetHigh: "80" },
    { symbol: "FAR", lastPrice: "163.62", targetLow: "0.1" },
  ]);
  const page = await phone(`/stocks?dialog=detail&id=${high?.id}`);
  expect(await fact(page, "Nearest target")).toBe("Nearest target Sell, 17.6% away");
  const other = await phone(`/stocks?dialog=detail&id=${low?.id}`);
  expect(await fact(other, "Nearest target")).toBe("Nearest target Buy, 99.9% away");
});

it("says where the changes are that its history leaves out", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "KO" }]);
  const { events, ...read } = await tally.act("get-stock", { id: stock?.id ?? "" });
  const many = Array.from({ length: 50 }, () => ({ ...events[0], id: crypto.randomUUID() }));
  const page = await desktop("/stocks");
  await answerInstead(page, "**/get-stock?*", (route) => route.fulfill({ json: { ...read, events: many } }));
  await page.getByRole("link", { name: "KO" }).click();
  const history = page.getByRole("dialog").locator(".stock-history");
  await history.getByRole("button", { name: "Show the latest 50 changes" }).click();
  await history.getByText("Any earlier changes are in the export of your data").waitFor();
  expect(await history.locator("ol > li").count()).toBe(50);
});

it("says that it is watched", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "KO", lastPrice: "68", watched: true }]);
  const page = await phone(`/stocks?dialog=detail&id=${stock?.id}`);
  const watching = page.getByRole("button", { name: "Watching", pressed: true });
  // All buttons are in one line of a phone. Measured at once: the dialog moves while it opens.
  const tops = await watching.evaluate(({ parentElement }) =>
    [...(parentElement?.querySelectorAll("button") ?? [])].map((button) => button.getBoundingClientRect().top),
  );
  expect(tops.length).toBeGreaterThan(1);
  expect(new Set(tops).size).toBe(1);
  await watching.tap();
  await page.getByRole("button", { name: "Watch", exact: true, pressed: false }).waitFor();
  expect(await page.getByRole("dialog").evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

describe("a linked stock", () => {
  it("credits no source with a price by hand", async ({ phone, tally, prices }) => {
    await prices({ listings: [] });
    const [apple] = await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", lastPrice: "5" }]);
    const id = apple?.id ?? "";
    await tally.act("update-stock", { id, set: { instrument: { symbol: "AAPL", exchange: "XNAS" } } });
    const page = await phone(`/stocks?dialog=detail&id=${id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Linked to AAPL, XNAS. It has sent no price yet.").waitFor();
    expect(await dialog.getByText("Data provided by Twelve Data").count()).toBe(0);
  });

  it("whose price is old dims what it did that day too", async ({ phone, tally, prices }) => {
    await prices({ listings: [{ ...LISTING, at: LISTING.at - 40 * 86_400 }] });
    const [apple] = await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS" }]);
    await waitForPrice(tally, "AAPL");
    const page = await phone(`/stocks?dialog=detail&id=${apple?.id}`);
    const today = page.getByRole("dialog").locator(".last-price").getByText("+1.33% (+$2.50)");
    const age = page.getByRole("dialog").locator(".last-price p").first();
    const colourOf = (box: Element): string => getComputedStyle(box).color;
    expect(await today.evaluate(colourOf)).toBe(await age.evaluate(colourOf));
  });

  it("whose key is gone says so, and promises no notice", async ({ phone, tally, prices }) => {
    const world = { listings: [{ ...LISTING, at: LISTING.at - 40 * 86_400 }] };
    await prices(world);
    const [apple] = await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", targetLow: "4" }]);
    await waitForPrice(tally, "AAPL");
    await tally.send("DELETE", "/_framework/settings/quotes-key");
    await tally.send("PATCH", "/_framework/settings", { notices: { target: "push" } });
    const page = await phone(`/stocks?dialog=detail&id=${apple?.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Prices do not update: there is no key. Add one under Account.").waitFor();
    await dialog.getByText("Linked to AAPL, XNAS.", { exact: true }).waitFor();
    await dialog.getByRole("checkbox", { name: "Tell me when the price reaches a target" }).tap();
    const unwatched = "Only prices from a source are watched, and none come from it now.";
    await dialog.getByText(unwatched).waitFor();
    await page.locator(".vh[aria-live]").getByText(`Saved. ${unwatched}`).waitFor({ state: "attached" });
    expect(await dialog.innerText()).not.toMatch(/Prices come from|no newer price|Sent as a push/);
    // With a key it would be told, if there were a device.
    await prices(world);
    await page.reload();
    await dialog.getByText("Nothing is pushed yet: no device is turned on.").waitFor();
    await dialog.getByText("The source has had no newer price since then.").waitFor();
  });

  it("without a price takes one before its chart, in view on a phone", async ({ phone, tally, prices, link }) => {
    await prices({ listings: [] });
    const [apple] = await tally.seedStocks([
      { symbol: "AAPL", exchange: "XNAS", quantity: "10", avgCost: "5", targetLow: "4", targetHigh: "6" },
    ]);
    const id = apple?.id ?? "";
    await tally.act("update-stock", { id, set: { instrument: { symbol: "AAPL", exchange: "XNAS" } } });
    const page = await phone("/stocks", { at: link.url });
    const letGo = link.hold("stock-chart");
    await page.getByRole("button", { name: "Set price of AAPL" }).tap();
    const dialog = page.getByRole("dialog", { name: /AAPL/ });
    await page.locator("input:focus").waitFor();
    letGo();
    await dialog.getByText("There are no past prices yet.").waitFor();
    const field = dialog.getByLabel("New price");
    const [place, foot] = await Promise.all([
      field.boundingBox(),
      dialog.getByRole("button", { name: "Edit" }).boundingBox(),
    ]);
    expect((place?.y ?? Number.NaN) + (place?.height ?? Number.NaN)).toBeLessThan(foot?.y ?? Number.NaN);
    expect(place?.y).toBeLessThan((await dialog.getByRole("heading", { name: "Price history" }).boundingBox())?.y ?? 0);
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    // The form stays where it is, with the focus, once there is a price.
    await field.fill("7");
    await page.keyboard.press("Enter");
    await dialog.getByText("$7.00", { exact: true }).waitFor();
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it("does not move when its chart comes, nor when the closes do", async ({ phone, tally, prices }) => {
    const closes = [8, 7, 6, 5, 4, 3].map((nth, place): [string, string] => [tradingDay(nth), String(180 + place)]);
    await prices({ listings: [{ ...LISTING, closes }] });
    await tally.seedStocks([
      { symbol: "AAPL", exchange: "XNAS", quantity: "10", avgCost: "5", targetLow: "4", targetHigh: "600" },
    ]);
    await waitForPrice(tally, "AAPL");
    const page = await phone("/stocks");
    const [letCode, letCloses] = [
      await holdNext(page, "**/assets/stock-chart*", { method: "GET" }),
      await holdNext(page, /get-stock.*history/, { method: "GET" }),
    ];
    await page.getByRole("link", { name: "AAPL" }).tap();
    const dialog = page.getByRole("dialog", { name: /AAPL/ });
    const unlink = dialog.getByRole("button", { name: "Unlink" });
    // Not where it is drawn: the dialog moves while it opens.
    const place = () => unlink.evaluate((button: HTMLElement) => button.offsetTop);
    const before = await place();
    letCode();
    await dialog.getByLabel("Loading the price history").waitFor();
    const waiting = await place();
    letCloses();
    await dialog.getByRole("slider", { name: "Closes of AAPL" }).waitFor();
    expect([waiting, await place()]).toEqual([before, before]);
  });

  it("is right below the words that there are no closes", async ({ phone, tally, prices }) => {
    await prices({ listings: [{ ...LISTING, closes: [] }] });
    await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS" }]);
    await waitForPrice(tally, "AAPL");
    const page = await phone("/stocks");
    await page.getByRole("link", { name: "AAPL" }).tap();
    const none = page.getByText("There are no past prices yet.");
    await none.waitFor();
    const room = await none.evaluate((words) => words.closest(".chart-room")?.getBoundingClientRect().bottom ?? 0);
    expect(room - (await none.evaluate((words) => words.getBoundingClientRect().bottom))).toBeLessThan(24);
  });
});
