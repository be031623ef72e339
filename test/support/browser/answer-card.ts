/** How a test answers a card of the agent: as a person has to, once all of it was in view and it takes presses. */
import type { Locator, Page } from "playwright-core";

/** The button, once it takes a press. Not for a page whose clock stands still. */
export const readyButton = async (where: Page | Locator, name: string | RegExp): Promise<Locator> => {
  const button = where.getByRole("button", { name, exact: true });
  // Going there moves the card, of which the page learns with its next frame.
  await button.scrollIntoViewIfNeeded();
  await button.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
  await where.getByRole("button", { name, exact: true, disabled: false }).waitFor();
  return button;
};

/** Answers once the card takes it. */
export const answerCard = async (where: Page | Locator, name: string | RegExp): Promise<void> => {
  await (await readyButton(where, name)).click();
};

/** Presses "Allow once" as soon as that is taken. */
export const allowOnce = (where: Page | Locator): Promise<void> => answerCard(where, "Allow once");

/** Pixels of a box's content that are below what it shows. */
export const leftBelow = (box: Locator): Promise<number> =>
  box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.floor(scrollHeight - scrollTop - clientHeight));

/** Goes from where the box is to its end, a page at a time. */
export const readByKeys = async (box: Locator): Promise<void> => {
  // Heights are rounded: the last pixel may not be one.
  while ((await leftBelow(box)) > 1) {
    const hasScrolled = box.evaluate(
      (element) =>
        new Promise((resolve) => element.addEventListener("scrollend", () => resolve(undefined), { once: true })),
    );
    await box.press("PageDown");
    await hasScrolled;
  }
};

/** Reads the open card from its top to its end, and allows it. */
export const readAndAllow = async (page: Page): Promise<void> => {
  await page.locator(".asked").evaluate((asked) => asked.scrollIntoView({ block: "start" }));
  for (const box of await page.locator(".asked :is(.mono, .changes)").all()) await readByKeys(box);
  await allowOnce(page);
};
