/** The app without a network, and what is left of a person in the browser. On a site that lets its pages start the service worker. */
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openAccountMenu } from "../../support/browser/account-steps.ts";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { newPerson } from "../../support/browser/person.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { serveTwoBuilds } from "../../support/browser/two-builds.ts";
import { kept, TROUBLES, untilActive, untilKept, WAIT } from "./offline-page.ts";
import { APPLE } from "./stocks-page.ts";

const it = itOnOwnSite({ args: ["--auth", "--service-worker"] });

/** The same, looked at once a second, in ms: where a look is work for the pages. */
const SELDOM = { ...WAIT, interval: 1_000 } as const;

it("the list can be read offline, says how old it is, and refuses a change without losing it", async ({
  phone,
  tally,
}) => {
  await tally.seedStocks([APPLE]);
  const page = await phone("/stocks", { allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("1 stock. As of ").waitFor();
  await expectNoAxeViolations(page);
  await page.goto("/stocks?dialog=add");
  const symbol = page.getByLabel("Symbol", { exact: true });
  await symbol.fill("MSFT");
  await page.getByRole("button", { name: "Add stock" }).last().tap();
  await page.locator("dialog[open]").getByText("The server cannot be reached.").first().waitFor();
  expect(await symbol.inputValue()).toBe("MSFT");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Add stock" }).last().tap();
  await page.locator(".toast").getByText("MSFT added").waitFor();
  await page.getByText("2 stocks").waitFor();
  expect((await tally.act("list-stocks", {})).total).toBe(2);
});

it("a network that goes away while the list is open gives it its age, until it is back", async ({ desktop, tally }) => {
  await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks", { allow: TROUBLES, colorScheme: "dark" });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  await page.context().setOffline(true);
  await page.getByText("1 stock. As of ").waitFor();
  await page.getByText("You are offline.").waitFor();
  await expectNoAxeViolations(page);
  await page.context().setOffline(false);
  await page.getByText("1 stock", { exact: true }).waitFor();
});

it("a page that was without a network when it would have begun to keep itself begins once it is back", async ({
  desktop,
}) => {
  const page = await desktop("/icon.svg", { allow: TROUBLES });
  await page.route(
    "**/assets/start-offline-*",
    async (route) => {
      await page.context().setOffline(true);
      await route.abort("internetdisconnected");
    },
    { times: 1 },
  );
  const isLost = page.waitForEvent("requestfailed", (request) => request.url().includes("/start-offline-"));
  await page.goto("/stocks");
  await isLost;
  expect(await page.evaluate(() => navigator.onLine)).toBe(false);
  await page.context().setOffline(false);
  await untilActive(page);
});

it("a part whose code did not come at first comes from what the browser has kept meanwhile", async ({ desktop }) => {
  const page = await desktop("/icon.svg", { allow: [...TROUBLES, /ERR_FAILED|LoadError/] });
  const beginKeeping = await holdNext(page, "**/assets/start-offline-*", { method: "GET" });
  const letCodeCome = await answerInstead(page, "**/assets/help-dialog-*", (route) => route.abort());
  await page.goto("/stocks");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("?");
  await page.getByText("This could not be loaded.").waitFor();
  letCodeCome();
  beginKeeping();
  await untilActive(page);
  await page.context().setOffline(true);
  await openLatePart(page);
});

it("signing out leaves nothing of the person in this browser, and the next one finds nothing", async ({
  desktop,
  tally,
  person,
  site,
}) => {
  await tally.seedStocks([{ symbol: "OWNR", name: "Of the first one" }]);
  const page = await desktop("/stocks", { allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "OWNR");
  expect(await kept(page)).toContain(person.email);
  await openAccountMenu(page, person.email);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  expect(await kept(page)).not.toMatch(/OWNR|kept-list|IndexedDB/);
  expect(await kept(page)).not.toContain(person.email);
  const next = await newPerson(site);
  await page.context().addCookies([...next.cookies]);
  await page.goto("/stocks");
  await page.getByText("Start your list").waitFor();
  await untilKept(page, next.email);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Start your list").waitFor();
  expect(await page.getByText(/OWNR|Of the first one/).count()).toBe(0);
});

it("a log-in that has ended takes the kept list with it", async ({ desktop, tally }) => {
  await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks", { allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  await expect.poll(() => kept(page)).not.toMatch(/AAPL|kept-list/);
});

it("what the server answers does not wait for the service worker to start", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await untilActive(page);
  // With the code that the list fetches ahead, which would start it.
  await page.getByText("Start your list").waitFor();
  const devtools = await page.context().newCDPSession(page);
  const statuses: string[] = [];
  devtools.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
    statuses.push(...versions.map(({ runningStatus }) => runningStatus));
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await expect.poll(() => statuses.at(-1), WAIT).toBe("stopped");
  const ask = (path: string) => page.evaluate(async (asked) => (await fetch(asked)).status, path);
  expect(await ask("/_framework/actions/list-stocks?limit=1")).toBe(200);
  expect(statuses.at(-1)).toBe("stopped");
  // A file of the app comes from the worker, which starts.
  expect(await ask("/manifest.webmanifest")).toBe(200);
  await expect.poll(() => statuses.at(-1), WAIT).toBe("running");
});

/** Scripts and styles of this page that are not of these. */
const strangers = async (page: Page, files: ReadonlySet<string>): Promise<readonly string[]> => {
  const paths = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  const assets = paths.filter((path) => path.startsWith("/assets/"));
  expect(assets.length).toBeGreaterThan(3);
  return assets.filter((path) => !files.has(path));
};

/** Opens something whose code is fetched only then. */
const openLatePart = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
};

/** Resolves when a service worker asks this page which build it is of: another page of the new build has begun to speak to it. */
const isAsked = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        navigator.serviceWorker.addEventListener("message", ({ data }) => data === "build?" && resolve());
      }),
  );

/** Names of the builds that the browser keeps files of. */
const keptBuilds = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("tally-build-")));

/** Waits until the new service worker has taken over. A page that went may count for a moment still; a page that is seen again asks anew. */
const untilOneBuild = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      return keptBuilds(page);
      // Each look asks all pages. Twenty a second would queue, until no page answers within the time that it has.
    }, SELDOM)
    .toHaveLength(1);

it("a new version is taken over whole: no page ever gets a file of another build than its own", async ({
  desktop,
  site,
}) => {
  const builds = await serveTwoBuilds(site.url);
  onTestFinished(builds.close);
  const [first, second] = builds.files;
  const page = await desktop("/stocks", { at: builds.url, allow: TROUBLES });
  await untilActive(page);
  builds.deploySecond();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.ready).waiting?.state === "installed",
    null,
    WAIT,
  );
  await openLatePart(page);
  expect(await strangers(page, first)).toEqual([]);
  // A second page is of the new build, while the first one keeps the old service worker.
  const asked = isAsked(page);
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await openLatePart(other);
  expect(await strangers(other, second)).toEqual([]);
  await asked;
  // Without a network the old one opens its own page again.
  await page.context().setOffline(true);
  await page.reload();
  await openLatePart(page);
  expect(await strangers(page, first)).toEqual([]);
  await page.context().setOffline(false);
  // Once no page of the old build is open, the new one takes over.
  await page.close();
  await untilOneBuild(other);
  await other.context().setOffline(true);
  await other.reload();
  await openLatePart(other);
  expect(await strangers(other, second)).toEqual([]);
});

/** Somebody comes back to the page after an hour by its clock. */
const seeAfterAnHour = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
    document.dispatchEvent(new Event("visibilitychange"));
  });

const entryOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector("script[type=module]")?.getAttribute("src") ?? null);

it("a page that stays open hears of a new version, and two of them take it over one after the other", async ({
  desktop,
  site,
}) => {
  const builds = await serveTwoBuilds(site.url);
  onTestFinished(builds.close);
  const [first, second] = builds.files;
  const page = await desktop("/stocks", { at: builds.url, allow: TROUBLES });
  await untilActive(page);
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await other.getByRole("heading", { level: 1 }).waitFor();
  builds.deploySecond();
  const news = (one: Page) => one.locator(".toast").getByText("There is a new version of Tally.");
  await expect
    .poll(async () => {
      await seeAfterAnHour(page);
      return await news(page).count();
    }, WAIT)
    .toBe(1);
  await news(other).waitFor();
  await expectNoAxeViolations(other);
  // Until it is reloaded it is whole as it was.
  await openLatePart(other);
  expect(await strangers(other, first)).toEqual([]);
  const asked = isAsked(other);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => entryOf(page), WAIT).toSatisfy((path: string) => second.has(path));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await asked;
  expect(await news(page).count()).toBe(0);
  // The other page still needs the files of its own build.
  expect(await keptBuilds(page)).toHaveLength(2);
  await other.keyboard.press("Escape");
  await other.getByRole("button", { name: "Reload" }).click();
  await untilOneBuild(page);
  await other.context().setOffline(true);
  await other.reload();
  await openLatePart(other);
  expect(await strangers(other, second)).toEqual([]);
});
