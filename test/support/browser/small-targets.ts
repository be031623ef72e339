/** Which controls of a page a finger may miss. */
import type { Page } from "playwright-core";

/** WCAG 2.5.5, in px. */
const LEAST_SIZE = 44;

/** Names of visible controls that do not answer half of that from their middle, up, down and sideways; links in a text may. */
export const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    (reach) => {
      const layer = document.querySelector(".menu:popover-open, dialog[open]") ?? document.body;
      // A press on a row opens its stock, one on a label or around the field of tags goes to the field.
      const targetOf = (control: Element): Element =>
        control.closest(control.matches(".open") ? "[data-id]" : "label, .input") ?? control;
      const isSmall = (target: Element): boolean => {
        target.scrollIntoView({ block: "center" });
        const { left, top, width, height } = target.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const places = [
          [0, -reach],
          [0, reach],
          [-reach, 0],
          [reach, 0],
        ] as const;
        return !places.every(([dx, dy]) => target.contains(document.elementFromPoint(x + dx, y + dy)));
      };
      return [...layer.querySelectorAll("button, a[href], select, summary, input")]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("p, .vh"))
        .filter((control) => isSmall(targetOf(control)))
        .map((control) => control.getAttribute("aria-label") ?? (control.textContent?.trim() || control.outerHTML));
    },
    LEAST_SIZE / 2 - 1,
  );
