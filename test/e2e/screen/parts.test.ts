/** The page of all parts in all their states: readable in both themes, in reach of a finger, within the window's width. */
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it as base } from "../../support/browser/screen-test.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { serveParts } from "../../support/parts/serve-parts.ts";

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
const it = base.extend("parts", { scope: "file" }, async ({}, { onCleanup }) => {
  const { url, close } = await serveParts();
  onCleanup(close);
  return url;
});

/** Those that throw on purpose, and fonts and icons that the page does not have. */
const ALLOWED = [/on purpose|A part did not load|could not be loaded/, /status of 404/] as const;

/** The page of most parts, and the parts that are alone. */
const PAGES = [
  "/",
  ...["List", "List, outdated", "List, loading", "List, empty"].map((name) => `/?part=${name}`),
  ...["preview of trades", "preview of a list", "checking", "not to be checked", "refused"].map(
    (name) => `/?part=Import, ${name}`,
  ),
  ...["under way", "paused", "finished"].map((name) => `/?part=Import, ${name}`),
];

/** Answers to the agent that do not take the width of their card, on a phone. */
const shortAnswers = () =>
  [...document.querySelectorAll(".ask .first .btn")]
    .filter((button) => button.clientWidth < 0.85 * (button.closest(".ask")?.clientWidth ?? 0))
    .map((button) => button.textContent);

/** Switches that are no wider than high: nothing could slide in them. */
const roundSwitches = () =>
  [...document.querySelectorAll(".switch input")]
    .filter(({ clientWidth, clientHeight }) => clientWidth <= clientHeight)
    .map(({ parentElement }) => parentElement?.textContent);

describe("every part in every state", () => {
  it.for(PAGES)("on a phone: %s", async (path, { parts, phone }) => {
    const page = await phone(path, { at: parts, allow: ALLOWED });
    await page.locator("[data-state]").first().waitFor();
    await expectNoAxeViolations(page);
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate(shortAnswers)).toEqual([]);
    expect(await page.evaluate(roundSwitches)).toEqual([]);
    const tooWide = () => document.documentElement.scrollWidth - innerWidth;
    expect(await page.evaluate(tooWide)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 320, height: 740 });
    await expect.poll(() => page.evaluate(tooWide)).toBeLessThanOrEqual(0);
  });

  it.for(["/", "/?part=List", "/?part=Import, preview of trades"])(
    "on a desktop: %s",
    async (path, { parts, desktop }) => {
      const page = await desktop(path, { at: parts, allow: ALLOWED, colorScheme: "dark" });
      await page.locator("[data-state]").first().waitFor();
      await expectNoAxeViolations(page);
    },
  );

  it.for(["dialog", "wide dialog", "sheet", "keys"])("over a screen: %s", async (state, { parts, phone }) => {
    const page = await phone("/", { at: parts, allow: ALLOWED });
    await page.locator(`[data-state="${state}"] button`).click();
    await page.getByRole("dialog").waitFor();
    await expectNoAxeViolations(page, { within: "dialog[open]" });
    expect(await smallTargets(page)).toEqual([]);
  });

  it("over a screen: menu and toasts", async ({ parts, phone }) => {
    const page = await phone("/", { at: parts, allow: ALLOWED });
    await page.getByRole("button", { name: "Open a menu" }).click();
    await page.getByRole("button", { name: "Rename" }).waitFor();
    await expectNoAxeViolations(page, { within: ".menu:popover-open" });
    expect(await smallTargets(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open toasts" }).click();
    await page.getByText("AAPL deleted.").waitFor();
    await expectNoAxeViolations(page, { within: ".toasts" });
  });
});
