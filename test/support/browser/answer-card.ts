/** How a test answers a card of the agent: as a person has to, once all of it was in view and it takes presses. */
import type { Locator, Page } from "playwright-core";

/** The button, once it accepts a press. Not for a page whose clock is stopped. */
export const readyButton = async (where: Page | Locator, name: string | RegExp): Promise<Locator> => {
  const button = where.getByRole("button", { name, exact: true });
  // Scrolling moves the card, which the page notices in its next frame.
  await button.scrollIntoViewIfNeeded();
  await button.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
  await where.getByRole("button", { name, exact: true, disabled: false }).waitFor();
  return button;
};

/** Answers once the card accepts it. */
export const answerCard = async (where: Page | Locator, name: string | RegExp): Promise<void> => {
  await (await readyButton(where, name)).click();
};

/** Presses "Allow once" as soon as the card accepts it. */
export const allowOnce = (where: Page | Locator): Promise<void> => answerCard(where, "Allow once");

/** Pixels of a box's content that are below what it shows. */
export const leftBelow = (box: Locator): Promise<number> =>
  box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.floor(scrollHeight - scrollTop - clientHeight));

/** Where a box is, and the pixels of its content that are below what it shows. */
type Place = { readonly top: number; readonly below: number };

/** The box's place once it has left `top` and the app has had the frame to see it. Runs on the page, without this file. */
const placeAfter = (box: Element, top: number | undefined): Promise<Place> =>
  new Promise((resolve) => {
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = box;
      const place = { top: scrollTop, below: Math.floor(scrollHeight - scrollTop - clientHeight) };
      requestAnimationFrame(scrollTop === top ? look : () => resolve(place));
    };
    look();
  });

/** Goes from where the box is to its end, a page at a time. Long texts have dozens of pages: little is asked at each. */
export const readByKeys = async (box: Locator): Promise<void> => {
  await box.focus();
  let place = await box.evaluate(placeAfter, undefined);
  // Heights are rounded: the last pixel may not be one.
  while (place.below > 1) {
    await box.page().keyboard.press("PageDown");
    place = await box.evaluate(placeAfter, place.top);
  }
};

/** Reads the open card from its top to its end, and allows it. */
export const readAndAllow = async (page: Page): Promise<void> => {
  await page.locator(".asked").evaluate((asked) => asked.scrollIntoView({ block: "start" }));
  for (const box of await page.locator(".asked :is(.mono, .changes)").all()) await readByKeys(box);
  await allowOnce(page);
};
