/** How the account comes: at once or in one piece, as what moves under a finger is pressed by mistake. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount, openAccountMenu } from "../../support/browser/account-steps.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

/** Holds what the part about prices reads, and the one about notices. Called, the result lets it through. */
const holdPrices = async (page: Page): Promise<() => void> => {
  const released = Promise.withResolvers<void>();
  await page.route("**/_framework/settings", async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
};

it("shows nothing that could be pressed before all that is above it has come", async ({ phone, person }) => {
  const page = await phone("/stocks", { colorScheme: "dark" });
  // The account waits for 5 s, which may pass here on a machine that has more to do.
  await page.addInitScript((limitMs) => {
    const { setTimeout: start } = window;
    Object(window).setTimeout = (work: () => void, ms?: number) => start(work, ms === limitMs ? 2 ** 31 - 1 : ms);
  }, 5_000);
  await page.reload();
  const release = await holdPrices(page);
  const others = ["list-sessions", "organization/list", "push"].map((path) =>
    page.waitForResponse((response) => response.url().endsWith(path)),
  );
  await openAccount(page, person.email);
  await Promise.all(others);
  const account = page.getByRole("dialog", { name: "Account" });
  await account.getByText("Loading…").first().waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  const end = account.getByRole("button", { name: "Sign out everywhere" });
  expect(await end.isVisible()).toBe(false);
  release();
  await end.waitFor();
  await account.getByRole("combobox", { name: "Your currency" }).waitFor();
});

it("shows what has come after a while, where the rest is slow", async ({ phone, person }) => {
  const page = await phone("/stocks", { colorScheme: "light" });
  const release = await holdPrices(page);
  await page.clock.install();
  await openAccount(page, person.email);
  const account = page.getByRole("dialog", { name: "Account" });
  await account.getByText("Loading…").first().waitFor();
  await page.clock.fastForward("00:05");
  await account.getByRole("link", { name: "Export my data" }).waitFor();
  release();
});

it("its menu opens where it stays, also with a long address", async ({ phone, person }) => {
  const page = await phone("/stocks", { colorScheme: "dark" });
  // What it has been since its entries were there, frame by frame.
  const seen = page.evaluate(
    (frames) =>
      new Promise<string[]>((resolve) => {
        const places: string[] = [];
        const look = (): void => {
          const menu = document.querySelector(".menu:popover-open");
          if (menu?.querySelector("button")) places.push(JSON.stringify(menu.getBoundingClientRect()));
          if (places.length < frames) requestAnimationFrame(look);
          else resolve(places);
        };
        look();
      }),
    20,
  );
  await openAccountMenu(page, person.email);
  // The entries come in one frame, and it is placed for them in the next.
  expect(new Set((await seen).slice(2))).toHaveProperty("size", 1);
});
