/** What the support of screen tests promises: it sees troubles, breaks lines, freezes pages and starts clean. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { openPages } from "../../support/browser/open-pages.ts";
import { freezeTab, hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";

it("a page that asks another origin for something fails its test", async ({ browser, site }) => {
  const pages = openPages(browser, site.url);
  const page = await pages.open({})("/");
  const told = page.waitForEvent("console", (message) => message.type() === "error");
  await page.evaluate(() => fetch("http://other.invalid/").catch(() => undefined));
  await told;
  await expect(pages.close()).rejects.toThrow(/Content Security Policy/);
});

it("a page that throws fails its test, unless that is allowed", async ({ browser, site, person }) => {
  const pages = openPages(browser, site.url, person);
  const [strict, lenient] = await Promise.all([
    pages.open({})("/"),
    pages.open({})("/", { allow: [/page error: Error: On purpose/] }),
  ]);
  const thrown = Promise.all([strict.waitForEvent("pageerror"), lenient.waitForEvent("pageerror")]);
  await strict.evaluate(() => void setTimeout(() => Promise.reject(new Error("By accident"))));
  await lenient.evaluate(() => void setTimeout(() => Promise.reject(new Error("On purpose"))));
  await thrown;
  await expect(pages.close()).rejects.toThrow(
    /^The page had troubles:\npage error: Error: By accident(?!.*On purpose)/s,
  );
});

it("axe-core's violations name the rule, the target and the remedy", async ({ phone }) => {
  const page = await phone("/");
  await page.getByRole("textbox", { name: /message/i }).waitFor();
  await page.evaluate(() => document.querySelector("main")?.append(document.createElement("button")));
  await expect(expectNoAxeViolations(page)).rejects.toThrow(/button-name \(critical\) #main > button: Fix any of/);
  await expectNoAxeViolations(page, { exceptRules: ["button-name"] });
});

it("axe-core looks at the other theme as well", async ({ phone }) => {
  const page = await phone("/", { colorScheme: "light" });
  await page.getByRole("textbox", { name: /message/i }).waitFor();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("@media (prefers-color-scheme: dark) { * { color: #333 !important } }");
    document.adoptedStyleSheets.push(sheet);
  });
  await expect(expectNoAxeViolations(page)).rejects.toThrow(/violations:\nin the dark theme, color-contrast/);
  expect(await page.evaluate(() => matchMedia("(prefers-color-scheme: light)").matches)).toBe(true);
});

it("a cut link breaks a stream midway, and a new one comes through", async ({ phone, link, tally, script }) => {
  const model = await script([holdMidStream("Half of ", "it.")]);
  const turn = await tally.startTurn("t", model.prompt("Go"));
  const page = await phone("/", { at: link.url, allow: [/ERR_/] });
  const states = await page.evaluateHandle((events) => {
    const seen: string[] = [];
    const source = new EventSource(events);
    source.addEventListener("open", () => seen.push("open"));
    source.addEventListener("error", () => seen.push("error"));
    return seen;
  }, turn.events);
  await page.waitForFunction((seen) => seen.join() === "open", states);
  expect(link.cut("/events")).toBe(1);
  await page.waitForFunction((seen) => seen.join() === "open,error,open", states);
  await model.release();
  await tally.eventsUntil(turn, "run_end");
});

it("a link that is down refuses everything until it is up again", async ({ link }) => {
  link.goDown();
  await expect(fetch(`${link.url}/_framework/health`)).rejects.toThrow("fetch failed");
  link.goUp();
  expect((await fetch(`${link.url}/_framework/health`)).status).toBe(200);
  expect(link.requests).toEqual(["GET /_framework/health", "GET /_framework/health"]);
});

it("a held request waits until it is let go", async ({ phone, link }) => {
  const page = await phone("/", { at: link.url });
  const letGo = link.hold("/_framework/session");
  const asked = page.waitForRequest("**/_framework/session");
  const answer = page.evaluate(async () => (await fetch("/_framework/session")).status);
  await asked;
  letGo();
  expect(await answer).toBe(200);
});

it("a tab can be hidden and shown", async ({ desktop }) => {
  const page = await desktop("/");
  const seen = await page.evaluateHandle(() => {
    const states: string[] = [];
    document.addEventListener("visibilitychange", () => states.push(document.visibilityState));
    return states;
  });
  await hideTab(page);
  await showTab(page);
  expect(await seen.jsonValue()).toEqual(["hidden", "visible"]);
});

it("a frozen tab runs none of its script until it thaws", async ({ desktop, tally }) => {
  const page = await desktop("/");
  // By the page's own clock, which is this machine's: a debugger may answer from a tab that it has stopped.
  const ticks = await page.evaluateHandle(() => {
    const times: number[] = [];
    setInterval(() => times.push(Date.now()));
    return times;
  });
  const thaw = await freezeTab(page);
  const frozenAtMs = Date.now();
  await tally.listThreads();
  const thawsAtMs = Date.now();
  await thaw();
  await page.waitForFunction(({ times, from }) => times.some((at) => at >= from), { times: ticks, from: thawsAtMs });
  expect((await ticks.jsonValue()).filter((at) => at > frozenAtMs && at < thawsAtMs)).toEqual([]);
});

it("a list is seeded, and a turn of it decided, for a person whom the page shows as well", async ({
  phone,
  tally,
  person,
  script,
}) => {
  const stocks = await tally.seedStocks(120);
  const model = await script([callTool("delete-stock", { id: stocks[0]?.id }), say("Kept.")]);
  const turn = await tally.startTurn("t", model.prompt("Delete the first one"));
  await tally.answerPermission(turn, "reject", "Not today.");
  expect((await tally.eventsUntil(turn, "run_end")).at(-1)).toMatchObject({ status: "completed" });
  expect(await tally.act("list-stocks", { limit: 1 })).toMatchObject({ total: 120 });
  expect(await tally.listThreads()).toMatchObject([{ threadId: "t" }]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: `Account of ${person.email}` }).waitFor();
});

it("the next test is somebody else", async ({ tally }) => {
  expect(await tally.act("list-stocks", {})).toMatchObject({ total: 0 });
  expect(await tally.listThreads()).toEqual([]);
});
