/** Totals that change while they are looked at count to their new value. */
import { useEffect, useState } from "preact/hooks";
import { MOTION, mayMove } from "./may-move.ts";

const DIGIT = /\d/g;

/** Largest number that is counted exactly, in digits. */
const MOST_DIGITS = 15;

/**
 * The text on its way from one amount to another, at `part` (0 to 1) of it. Undefined if the two are equal, or not written alike: nobody
 * could follow a count to another sign, currency or length.
 */
export const textBetween = (from: string, to: string, part: number): string | undefined => {
  if (from === to || from.replace(DIGIT, "0") !== to.replace(DIGIT, "0")) return undefined;
  const [start, end] = [from, to].map((text) => Number(text.match(DIGIT)?.join("")));
  const { length } = to.match(DIGIT) ?? [];
  if (start === undefined || end === undefined || length > MOST_DIGITS) return undefined;
  const digits = [...String(Math.round(start + (end - start) * part)).padStart(length, "0")];
  return to.replace(DIGIT, () => digits.shift() ?? "0");
};

/** Slower towards the end, like everything else that moves here. */
const easeOut = (part: number): number => 1 - (1 - part) ** 3;

/** Counts in a text that Preact has just changed, and ends with Preact's own text. */
const count = (node: CharacterData, from: string, observer: MutationObserver): void => {
  const to = node.data;
  const start = performance.now();
  const write = (text: string): void => {
    node.data = text;
    observer.takeRecords();
  };
  let written = textBetween(from, to, 0);
  if (written === undefined) return;
  write(written);
  const step = (now: number): void => {
    // The text has changed again, and another count starts from there.
    if (node.data !== written) return;
    const part = Math.min(Math.max(now - start, 0) / MOTION.duration, 1);
    written = part === 1 ? to : textBetween(from, to, easeOut(part));
    write(written ?? to);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

/** `view` says what the totals add up now, `counted` what the last totals added up. */
type Counter = { view: string; counted: string; readonly observer: MutationObserver };

const makeCounter = (view: string): Counter => {
  const observer = new MutationObserver((changes) => {
    const isSame = counter.view === counter.counted;
    counter.counted = counter.view;
    if (!isSame || document.hidden || !mayMove()) return;
    for (const { target, oldValue } of changes) {
      if (target instanceof CharacterData) count(target, oldValue ?? "", observer);
    }
  });
  const counter: Counter = { view, counted: view, observer };
  return counter;
};

/** Follows the totals above the list. `view` says what they add up: when it changes, the next totals are shown at once. */
export const useCountUp = (view: string): void => {
  const [counter] = useState(() => makeCounter(view));
  counter.view = view;
  useEffect(() => {
    const totals = document.querySelector(".totals");
    // Observing the same element again changes nothing. Another element replaces it once there is something to add up.
    if (totals) counter.observer.observe(totals, { subtree: true, characterData: true, characterDataOldValue: true });
  });
  useEffect(() => () => counter.observer.disconnect(), [counter]);
};
