/** The page of all parts in all their states: readable in both themes, in reach of a finger, within the window's width. */
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { hideTab, showTab, stopClock } from "../../support/browser/page-life.ts";
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

/** What large text pushes out of a list: amounts beyond its edge, lines of figures over each other, words over their neighbours. */
const badWithLargeText = (): string[] => {
  const placeOf = (element: Element): DOMRect => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const out = [...document.querySelectorAll(".stock-card .worth, .stock-card .open, .totals dd")].filter(
    (element) => placeOf(element).right > innerWidth || placeOf(element).width === 0,
  );
  const figures = [...document.querySelectorAll(".totals dd")].map(placeOf);
  const over = figures.filter(({ top }, at) => at > 0 && top < (figures[at - 1]?.bottom ?? 0) - 6);
  const names = [...document.querySelectorAll(".stock-card")].filter((card) => {
    const [name, amount] = [card.querySelector(".open"), card.querySelector(".worth b")];
    if (!name || !amount) return true;
    const { width, right } = name.getBoundingClientRect();
    return width < 60 || right > placeOf(amount).left;
  });
  return [
    ...out.map(({ className, textContent }) => `out: ${className} ${textContent}`),
    ...over.map(({ top }) => `over the line above: ${top}`),
    ...names.map(({ textContent }) => `no room for its symbol: ${textContent}`),
  ];
};

/** The ratio of each toast's focus ring to the toast, while its first button has the focus (WCAG 1.4.11). */
const ringContrasts = (): number[] => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("No canvas.");
  const luminanceOf = (colour: string): number => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
      value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return [...document.querySelectorAll(".toast")].map((toast) => {
    const button = toast.querySelector("button");
    button?.focus();
    if (!button?.matches(":focus-visible")) return Number.NaN;
    const [ring, ground] = [getComputedStyle(button).outlineColor, getComputedStyle(toast).backgroundColor];
    const [darker = 0, lighter = 0] = [luminanceOf(ring), luminanceOf(ground)].sort((one, other) => one - other);
    return (lighter + 0.05) / (darker + 0.05);
  });
};

describe("every part in every state", () => {
  it.for([320, 360, 412])("a list with text twice as large, at %i px", async (width, { parts, phone }) => {
    const page = await phone("/?part=List", { at: parts, allow: ALLOWED });
    await page.setViewportSize({ width, height: 740 });
    // As a person sets it in the browser.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await page.reload();
    await page.locator("[data-id]").first().waitFor();
    await expect.poll(() => page.evaluate(badWithLargeText)).toEqual([]);
  });

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
    await page.locator(".toast").getByText("AAPL deleted.").waitFor();
    await expectNoAxeViolations(page, { within: ".toasts" });
  });

  it("a toast is announced by a region that was there before, unless it is an alert", async ({ parts, desktop }) => {
    const page = await desktop("/", { at: parts, allow: ALLOWED });
    const more = page.getByRole("button", { name: "Open toasts" });
    await more.waitFor();
    const region = await page.locator(".vh[aria-live]").elementHandle();
    await more.click();
    await expect.poll(() => region?.textContent()).toBe("AAPL deleted.");
    const roles = await page.locator(".toast p").evaluateAll((texts) => texts.map((text) => text.role));
    expect(roles).toEqual(["alert", null]);
  });

  it.for(["light", "dark"] as const)("the focus is seen on a toast: %s", async (colorScheme, { parts, desktop }) => {
    const page = await desktop("/", { at: parts, allow: ALLOWED, colorScheme });
    await page.getByRole("button", { name: "Open toasts" }).press("Enter");
    await page.locator(".toast").first().waitFor();
    const [first = 0, second = 0] = await page.evaluate(ringContrasts);
    expect(Math.min(first, second)).toBeGreaterThan(3);
  });

  it("what is chosen shows in forced colours, and what is pressed without them too", async ({ parts, desktop }) => {
    const page = await desktop("/?part=List", { at: parts, allow: ALLOWED });
    const outlineOf = (box: Element): string => getComputedStyle(box).outlineStyle;
    const chosen = page.getByRole("tab", { selected: true });
    expect(await chosen.evaluate(outlineOf)).toBe("none");
    await page.emulateMedia({ forcedColors: "active" });
    expect(await chosen.evaluate(outlineOf)).toBe("solid");
    expect(await page.getByRole("tab", { selected: false }).first().evaluate(outlineOf)).toBe("none");
    await page.emulateMedia({ forcedColors: "none" });
    await page.goto("/");
    const borderOf = (box: Element): readonly string[] => {
      const { borderTopColor, color } = getComputedStyle(box);
      return [borderTopColor, color];
    };
    const [border, colour] = await page.getByRole("button", { name: "Pressed" }).first().evaluate(borderOf);
    expect(border).toBe(colour);
  });

  it("a star says in its name alone whether its stock is watched", async ({ parts, desktop }) => {
    const page = await desktop("/?part=List", { at: parts, allow: ALLOWED });
    await page.locator(".star.on").first().waitFor();
    expect(await page.locator(".star[aria-pressed]").count()).toBe(0);
  });

  it("a toast stays where it is while others come", async ({ parts, phone }) => {
    const page = await phone("/", { at: parts, allow: ALLOWED, reducedMotion: "reduce" });
    const more = page.getByRole("button", { name: "Open toasts" });
    await more.click();
    await page.locator(".toast.bad").getByRole("button", { name: "Dismiss" }).click();
    const undo = await page.locator(".toast").getByRole("button", { name: "Undo" }).elementHandle();
    // With the focus, it does not go by itself.
    await undo?.focus();
    const place = await undo?.boundingBox();
    await more.dispatchEvent("click");
    await expect.poll(() => page.locator(".toast").count()).toBe(3);
    expect((await undo?.boundingBox())?.y).toBe(place?.y);
  });

  it("a toast that has the focus stays, also when its time was over in a hidden tab", async ({ parts, phone }) => {
    const page = await phone("/", { at: parts, allow: ALLOWED });
    const more = page.getByRole("button", { name: "Open toasts" });
    await more.waitFor();
    await stopClock(page);
    await more.click();
    await page.locator(".toast.bad").getByRole("button", { name: "Dismiss" }).click();
    await hideTab(page);
    await page.clock.runFor(11_000);
    // Others come meanwhile.
    await more.dispatchEvent("click");
    await page.clock.runFor(1_000);
    await showTab(page);
    const undo = page.locator(".toast").getByRole("button", { name: "Undo" }).last();
    await undo.focus();
    await page.clock.runFor(30_000);
    expect(await undo.and(page.locator(":focus")).count()).toBe(1);
  });

  it("a toast that is to be dismissed outstays those that go by themselves", async ({ parts, phone }) => {
    const page = await phone("/", { at: parts, allow: ALLOWED });
    const more = page.getByRole("button", { name: "Open toasts" });
    await more.click();
    await more.click();
    await more.click();
    expect(await page.locator(".toast.bad").count()).toBe(3);
  });
});
