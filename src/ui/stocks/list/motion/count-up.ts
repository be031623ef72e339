/** Totals that change while they are looked at count to their new value. */
import { useEffect, useState } from "preact/hooks";
import { MOTION, mayMove } from "./may-move.ts";

const DIGIT = /\d/g;

/** Largest number that is counted exactly, in digits. */
const MOST_DIGITS = 15;

/**
 * The text on its way from one amount to another, `part` of 1; undefined for two that are not written alike, such as with another sign,
 * currency or length: nobody could follow those.
 */
export const textBetween = (from: string, to: string, part: number): string | undefined => {
  if (from === to || from.replace(DIGIT, "0") !== to.replace(DIGIT, "0")) return undefined;
  const [start, end] = [from, to].map((text) => Number(text.match(DIGIT)?.join("")));
  const { length } = to.match(DIGIT) ?? [];
  if (start === undefined || end === undefined || length > MOST_DIGITS) return undefined;
  const digits = [...String(Math.round(start + (end - start) * part)).padStart(length, "0")];
  return to.replace(DIGIT, () => digits.shift() ?? "0");
};

/** Slower towards the end, as everything that moves here. */
const easeOut = (part: number): number => 1 - (1 - part) ** 3;

/** Writes into the text that Preact has just changed, and leaves it as Preact has it. */
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
    // It has changed again meanwhile, and is counted from there.
    if (node.data !== written) return;
    const part = Math.min(Math.max(now - start, 0) / MOTION.duration, 1);
    written = part === 1 ? to : textBetween(from, to, easeOut(part));
    write(written ?? to);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

/** `view` is what is summed up now, `counted` what the last totals were of. */
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

/** Follows the totals above the list. `view` is what they are of: those of another one are not counted to. */
export const useCountUp = (view: string): void => {
  const [counter] = useState(() => makeCounter(view));
  counter.view = view;
  useEffect(() => {
    const totals = document.querySelector(".totals");
    // Observing it again changes nothing; it is another element once there is something to sum up.
    if (totals) counter.observer.observe(totals, { subtree: true, characterData: true, characterDataOldValue: true });
  });
  useEffect(() => () => counter.observer.disconnect(), [counter]);
};
