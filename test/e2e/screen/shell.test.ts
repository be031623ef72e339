/** The first look at `/`: that it opens on both screens, in both colors, without troubles. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

it("opens on a phone without anything to scroll sideways", async ({ phone }) => {
  const page = await phone("/", { colorScheme: "dark" });
  expect(await page.title()).toContain("Tally");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeViolations(page);
});

it("opens on a desktop", async ({ desktop }) => {
  const page = await desktop("/", { colorScheme: "light" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expectNoAxeViolations(page);
});
