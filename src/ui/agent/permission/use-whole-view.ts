/** Tells when all of a part of the page has been in view: whatever of it scrolls was scrolled through, nothing is folded. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { addStretch, firstUnseen, type Stretch, stretchInView } from "./seen-ranges.ts";

/** On a button that unfolds, or fetches, what is not on the page yet. */
export const UNFOLDS = { "data-unfolds": "" } as const;

/** Boxes that scroll by themselves. */
const SCROLLERS = ".mono, .changes";

/** `width` is what the lines were broken for: in another one they stand elsewhere. */
type Seen = { readonly width: number; readonly stretches: readonly Stretch[] };

/** `isWhole` stays true once it is. `showRest` leads to what has not been in view. */
export const useWholeView = (
  part: RefObject<HTMLElement>,
): { readonly isWhole: boolean; readonly showRest: () => void } => {
  const [isWhole, setWhole] = useState(false);
  const seen = useRef(new Map<Element, Seen>());

  const look = useCallback((): void => {
    const element = part.current;
    if (!element || document.hidden || isCovered(element)) return;
    const pieces = piecesOf(element);
    for (const piece of pieces) note(seen.current, piece);
    if (element.querySelector("[data-unfolds]") !== null) return;
    if (pieces.every((piece) => unseenOf(seen.current, piece) === undefined)) setWhole(true);
  }, [part]);

  useEffect(() => {
    const element = part.current;
    if (!element || isWhole) return undefined;
    // What is in a frame that was never drawn was not in view.
    let frame = 0;
    const lookSoon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    lookSoon();
    const resized = new ResizeObserver(lookSoon);
    resized.observe(element);
    const unfolded = new MutationObserver(lookSoon);
    unfolded.observe(element, { childList: true, subtree: true });
    // Scrolling does not bubble. The focus comes back from a dialog that covered it.
    const leave = new AbortController();
    const options = { capture: true, passive: true, signal: leave.signal };
    for (const kind of ["scroll", "focusin", "visibilitychange"]) document.addEventListener(kind, lookSoon, options);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      unfolded.disconnect();
      leave.abort();
    };
  }, [part, look, isWhole]);

  const showRest = useCallback((): void => {
    look();
    const element = part.current;
    const piece = element && piecesOf(element).find((one) => unseenOf(seen.current, one) !== undefined);
    if (piece) {
      goTo(piece, unseenOf(seen.current, piece) ?? 0);
      return;
    }
    const unfolding = element?.querySelector<HTMLElement>("[data-unfolds]");
    unfolding?.scrollIntoView({ block: "nearest" });
    unfolding?.focus();
  }, [part, look]);

  return { isWhole, showRest };
};

/** Inner ones first: what is to be read before what lies around it. */
const piecesOf = (element: HTMLElement): readonly HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>(SCROLLERS),
  element,
];

const note = (seen: Map<Element, Seen>, piece: HTMLElement): void => {
  const { top, height } = piece.getBoundingClientRect();
  const stretch = stretchInView({ top, height, scrolled: piece.scrollTop }, clipOf(piece));
  if (stretch === undefined) return;
  const width = piece.clientWidth;
  const before = seen.get(piece);
  seen.set(piece, { width, stretches: addStretch(before?.width === width ? before.stretches : [], stretch) });
};

const unseenOf = (seen: Map<Element, Seen>, piece: HTMLElement): number | undefined =>
  firstUnseen(seen.get(piece)?.stretches ?? [], piece.scrollHeight);

/** What the window, and all that clips, let through of an element. */
const clipOf = (element: HTMLElement): Stretch => {
  let from = 0;
  let to = innerHeight;
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible") continue;
    const { top, bottom } = around.getBoundingClientRect();
    from = Math.max(from, top);
    to = Math.min(to, bottom);
  }
  return { from, to };
};

const isCovered = (element: HTMLElement): boolean => {
  const dialogs = [...document.querySelectorAll("dialog:modal")];
  return dialogs.some((dialog) => !dialog.contains(element));
};

const goTo = (piece: HTMLElement, unseen: number): void => {
  if (piece.tabIndex >= 0) piece.focus({ preventScroll: true });
  piece.scrollTop = unseen;
  const at = piece.getBoundingClientRect().top + unseen - piece.scrollTop;
  const { from, to } = clipOf(piece);
  // Also where the box itself is only partly in sight.
  if (at < from || at >= to) piece.closest(".log")?.scrollBy(0, at - from);
};
