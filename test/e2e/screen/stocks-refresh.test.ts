/** The list of a tab that was left for a while: it is read anew, and says so when that fails, or fails for a part of it. */
import type { Page } from "playwright-core";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { APPLE as LISTING, tradingDay } from "../../support/price-server/trading-day.ts";
import { waitForPrice } from "./prices-page.ts";

const APPLE = { symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "200" };

const LIST = "**/_framework/actions/list-stocks*";

/** Longer than an answer counts as fresh, in ms. */
const AWAY_MS = 31_000;

/** The person looks at something else for long enough, while this happens. */
const goAway = async (page: Page, meanwhile: () => Promise<unknown>): Promise<void> => {
  await page.clock.install();
  await hideTab(page);
  await meanwhile();
  await page.clock.fastForward(AWAY_MS);
  await showTab(page);
};

/** Waits for the effects of what is shown, after its frame: waits begin with them. */
const afterFrame = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );

it("shows what has changed elsewhere when one comes back to the tab", async ({ desktop, tally }) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks");
  const row = page.getByRole("row", { name: /AAPL/ });
  await row.getByText("$200.00").waitFor();
  await goAway(page, () => tally.act("update-stock", { id: apple?.id ?? "", set: { lastPrice: "321" } }));
  await row.getByText("$321.00").waitFor();
});

it("says that the list may be old when it cannot be read anew, and reads it when asked", async ({ phone, tally }) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const page = await phone("/stocks", { allow: [/400/] });
  const card = page.getByRole("listitem").filter({ hasText: "AAPL" });
  await card.getByText("$200.00").last().waitFor();
  const letListCome = await answerInstead(page, LIST, (route) =>
    route.fulfill({ status: 400, json: { error: "Not now." } }),
  );
  await goAway(page, () => tally.act("update-stock", { id: apple?.id ?? "", set: { lastPrice: "321" } }));
  const note = page.locator(".banner").filter({ hasText: "The list could not be refreshed. It may be outdated." });
  await note.waitFor();
  await page.locator(".vh[aria-live]").getByText("could not be refreshed").waitFor({ state: "attached" });
  await card.getByText("$200.00").last().waitFor();
  letListCome();
  await note.getByRole("button", { name: "Try again" }).tap();
  await card.getByText("$321.00").last().waitFor();
  await note.waitFor({ state: "detached" });
});

it("a part of the list says that it is one, and nothing shorter takes its place when the list is read again", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(401);
  const page = await desktop("/icon.svg", { allow: [/400/] });
  const asked: string[] = [];
  const letListCome = await answerInstead(page, /list-stocks\?limit=200&cursor=/, (route) => {
    asked.push(route.request().url());
    return asked[0] === route.request().url()
      ? route.fallback()
      : route.fulfill({ status: 400, json: { error: "Not now." } });
  });
  await page.goto("/stocks");
  const note = page.locator(".banner").filter({ hasText: "Only part of the list could be loaded." });
  await note.waitFor();
  await page.getByText("400 stocks", { exact: true }).waitFor();
  // The menu uses the list as well, and each new user of a failed query has it read again.
  const failed = page.waitForResponse((response) => response.status() === 400);
  await page.getByRole("button", { name: "List menu" }).click();
  await failed;
  await page.getByRole("button", { name: "Export as CSV" }).click();
  await page
    .locator(".toast")
    .getByText("Only part of the list could be loaded. Load the rest of it, then export again.")
    .waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await page.getByText("400 selected").waitFor();
  letListCome();
  await note.getByRole("button", { name: "Try again" }).click();
  await page.getByText("401 stocks", { exact: true }).waitFor();
  await page.getByText("400 selected").waitFor();
});

it("a list that is read late does not bring back sums that were older", async ({ desktop, tally }) => {
  const [apple] = await tally.seedStocks([APPLE, { symbol: "MSFT", quantity: "1", lastPrice: "100" }]);
  const page = await desktop("/stocks");
  const totals = page.getByRole("region", { name: "Totals" });
  await totals.getByText("$2,100.00").waitFor();
  const { promise: isWanted, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isRead, resolve: setRead } = Promise.withResolvers<void>();
  await page.route(
    /list-stocks\?limit=200/,
    async (route) => {
      const response = await route.fetch();
      setRead();
      await isWanted;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await goAway(page, () => tally.act("update-stock", { id: apple?.id ?? "", set: { lastPrice: "321" } }));
  await isRead;
  await page.getByRole("link", { name: "MSFT" }).focus();
  await page.keyboard.press("Delete");
  await totals.getByText("$3,210.00").waitFor();
  letGo();
  await page.getByRole("row", { name: /AAPL/ }).getByText("$321.00").waitFor();
  await totals.getByText("$3,210.00").waitFor();
});

it("is read again every ten minutes while it is in view and has prices of a source", async ({
  desktop,
  tally,
  prices,
}) => {
  await prices({ listings: [LISTING] });
  const [apple] = await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", quantity: "10" }]);
  await waitForPrice(tally, "AAPL");
  const page = await desktop("/stocks");
  await page.clock.install();
  await page.reload();
  await page.getByRole("button", { name: "Refresh prices" }).waitFor();
  await afterFrame(page);
  const rename = (name: string) => tally.act("update-stock", { id: apple?.id ?? "", set: { name } });
  const row = page.getByRole("row", { name: /AAPL/ });
  await rename("The first");
  await page.clock.fastForward(601_000);
  await row.getByText("The first").waitFor();
  await rename("The second");
  await page.clock.fastForward(601_000);
  await row.getByText("The second").waitFor();
});

it("is read again with the total of what is shown of it", async ({ desktop, tally, prices }) => {
  await prices({ listings: [LISTING] });
  const [apple] = await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", quantity: "10" }]);
  await waitForPrice(tally, "AAPL");
  const page = await desktop("/stocks?currency=USD");
  await page.clock.install();
  await page.reload();
  await page.getByRole("button", { name: "Refresh prices" }).waitFor();
  const total = page.getByRole("region", { name: "Totals" });
  await total.getByText("$1,905.00").waitFor();
  await afterFrame(page);
  await tally.act("update-stock", { id: apple?.id ?? "", set: { quantity: "20" } });
  await page.clock.fastForward(601_000);
  await total.getByText("$3,810.00").waitFor();
});

it("is read once more soon after it was opened: opening it has had newer prices fetched", async ({
  desktop,
  tally,
  prices,
}) => {
  const room = await prices({ listings: [LISTING] });
  await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", quantity: "10" }]);
  await waitForPrice(tally, "AAPL");
  await room.set({ listings: [{ ...LISTING, price: "193.25", at: Date.parse(`${tradingDay(1)}T20:00:00Z`) / 1_000 }] });
  const page = await desktop("/");
  await page.clock.install();
  // The list as it was when it was asked for; the prices come before it is shown, as a look in the last minute has nothing fetched.
  await page.route(
    /list-stocks\?limit=200/,
    async (route) => {
      const response = await route.fetch();
      await tally.act("refresh-quotes", {});
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto("/stocks");
  const row = page.getByRole("row", { name: /AAPL/ });
  await row.getByText("$190.50").waitFor();
  await page.getByRole("button", { name: "Refresh prices" }).waitFor();
  await afterFrame(page);
  await page.clock.fastForward(6_000);
  await row.getByText("$193.25").waitFor();
});
