/** Whether an element has the focus. */
import type { Locator } from "playwright-core";
import { expect } from "vitest";

export const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === document.activeElement);

/** Some focus comes after a frame or an event of the browser. */
export const waitForFocus = (place: Locator): Promise<void> => expect.poll(() => isFocused(place)).toBe(true);
