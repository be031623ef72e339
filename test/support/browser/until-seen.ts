/** What a page shows for a time only: looking again and again may miss it, and what is pressed later may be gone. */
import type { Page } from "playwright-core";

/** Resolves once an element of this selector holds the text. Begin it before the cause, and await it after. */
export const untilSeen = (page: Page, selector: string, text: string): Promise<void> =>
  page.evaluate(
    ([css, words]) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if ([...document.querySelectorAll(css)].some((element) => element.textContent?.includes(words))) resolve();
        });
        observer.observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true });
      }),
    [selector, text] as const,
  );

/** Waits for the toast with this text, and points at it: a person's pointer keeps it there, which would go after some seconds. */
export const keepToast = (page: Page, text: string): Promise<void> =>
  page.locator(".toast").filter({ hasText: text }).dispatchEvent("pointerenter");
