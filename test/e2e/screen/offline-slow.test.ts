/**
 * The app on a network that is there and brings nothing: after some seconds it counts as none (decision 0223). And what is said of a list that
 * is shown for long.
 */
import { expect } from "vitest";
import { DESKTOP } from "../../support/browser/devices.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { TROUBLES, untilActive, untilKept, WAIT } from "./offline-page.ts";
import { APPLE } from "./stocks-page.ts";

const it = itOnOwnSite({ args: ["--auth", "--service-worker"] });

it("opens its kept page when the server's does not come", async ({ phone, tally, link }) => {
  await tally.seedStocks([APPLE]);
  const page = await phone("/stocks", { at: link.url, allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  const asked = link.requests.length;
  const letGo = link.hold("/stocks");
  // After four seconds.
  await page.reload(WAIT);
  await page.getByText("1 stock", { exact: true }).waitFor();
  expect(link.requests.slice(asked)).toContain("GET /stocks");
  letGo();
});

it("shows its kept list with its age when the server's does not come, and that once it does", async ({
  phone,
  tally,
  link,
}) => {
  await tally.seedStocks([APPLE]);
  const page = await phone("/stocks", { at: link.url, allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  await tally.act("add-stock", { symbol: "MSFT" });
  const letGo = link.hold("list-stocks");
  await page.reload();
  // Four seconds after the code for it has come, which is asked for last.
  await page.getByText("1 stock. As of ").waitFor(WAIT);
  letGo();
  await page.getByText("2 stocks", { exact: true }).waitFor();
});

it("the age of a list that stays open without a network has its day once midnight has passed, in English", async ({
  pages,
  tally,
}) => {
  await tally.seedStocks([APPLE]);
  const page = await pages.open({ ...DESKTOP, locale: "de-DE" })("/stocks", { allow: TROUBLES });
  await untilKept(page, "AAPL");
  await page.clock.install({ time: new Date(Date.UTC(2026, 10, 28, 23, 50)) });
  await page.reload();
  await page.getByText("1 stock").waitFor();
  await untilActive(page);
  await page.context().setOffline(true);
  await page.getByText(/1 stock\. As of \d\d:\d\d\.$/).waitFor();
  await page.clock.fastForward("15:00");
  await page.getByText(/1 stock\. As of 28 Nov, \d\d:\d\d\.$/).waitFor();
});

it("what is said of a list that cannot be read stays while it is tried again", async ({ desktop, tally }) => {
  await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks", { allow: TROUBLES });
  await untilKept(page, "AAPL");
  let asked = 0;
  await page.route("**/list-stocks*", (route) => {
    asked += 1;
    return route.fulfill({ status: 400, json: { error: "Not now." } });
  });
  await page.clock.install();
  await page.reload();
  await page.getByText("1 stock. As of ").waitFor(WAIT);
  const note = page.locator(".banner").filter({ hasText: "The list could not be refreshed." });
  await expect.poll(async () => [await page.clock.fastForward(16_000), await note.count()].at(-1), WAIT).toBe(1);
  await note.evaluate((element) =>
    new MutationObserver(() => {
      if (!element.isConnected) document.body.dataset.hasGone = "true";
    }).observe(document.body, { childList: true, subtree: true }),
  );
  const before = asked;
  await page.clock.fastForward(16_000);
  await expect.poll(() => asked).toBeGreaterThan(before);
  await page.clock.fastForward(16_000);
  expect(await page.evaluate(() => document.body.dataset.hasGone)).toBeUndefined();
  expect(await note.count()).toBe(1);
});
