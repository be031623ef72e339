/**
 * WCAG 2.2 AA and best practices by axe-core, in the light and in the dark theme. It runs in a world of its own beside the
 * page's scripts: no CSP applies there.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { z } from "zod";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] as const;

/** The rules that judge colours, which is all that another theme changes. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"] as const;

const require = createRequire(import.meta.url);

/** Half the text of `axe.source`, which each page would have to read. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** What is looked at; everything by default. */
type AxeScope = {
  /** CSS selector of the only part that counts, such as `dialog[open]`. */
  readonly within?: string;
  /** Rules left out; say why beside it. */
  readonly exceptRules?: readonly string[];
};

/** Waits for running animations first: half-faded text has half the contrast. */
const script = (rules: readonly string[], { within = ":root", exceptRules = [] }: AxeScope): string => `(async () => {
  const isFinite = (animation) => animation.effect?.getComputedTiming().endTime !== Infinity;
  const running = document.getAnimations().filter((one) => one.playState === "running" && isFinite(one));
  await Promise.allSettled(running.map((animation) => animation.finished));
  const { violations } = await axe.run(${JSON.stringify(within)}, {
    runOnly: ${JSON.stringify(rules)},
    rules: ${JSON.stringify(Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }])))},
  });
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + " (" + impact + ") " + target.join(" ") + ": " + failureSummary));
})()`;

/** @throws {Error} one paragraph for each violation: rule, impact, target, how to fix it. */
export const expectNoAxeViolations = async (page: Page, scope: AxeScope = {}): Promise<void> => {
  const cdp = await page.context().newCDPSession(page);
  const { frameTree } = await cdp.send("Page.getFrameTree");
  const world = { frameId: frameTree.frame.id, worldName: "axe" };
  const { executionContextId: contextId } = await cdp.send("Page.createIsolatedWorld", world);
  await cdp.send("Runtime.evaluate", { expression: AXE, contextId });
  const violationsOf = async (rules: readonly string[]): Promise<string[]> => {
    const expression = script(rules, scope);
    const options = { expression, contextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", options);
    if (exceptionDetails !== undefined) throw new Error(`axe: ${exceptionDetails.exception?.description}`);
    return z.array(z.string()).parse(result.value);
  };
  const own = await violationsOf(TAGS);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [theme, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await page.emulateMedia({ colorScheme: other });
  const others = (await violationsOf(COLOR_RULES)).map((violation) => `in the ${other} theme, ${violation}`);
  await page.emulateMedia({ colorScheme: theme });
  await cdp.detach();
  const violations = [...own, ...others];
  if (violations.length > 0) throw new Error(`axe-core's violations:\n${violations.join("\n")}`);
};
