/** Tells when all of a part of the page has been in view: everything was scrolled through, and nothing is folded. */
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A vertical stretch in px, with both ends included. */
export type Stretch = { readonly from: number; readonly to: number };

/** Gap allowed between two stretches, in px: browsers lay lines out on fractions of a pixel and scroll by whole ones. */
export const MAX_GAP_PX = 2;

/** Which stretch of a box's content is visible. The box is at `top`, `height` tall, and scrolled by `scrolled`. `clip` is in view. */
export const stretchInView = (
  { top, height, scrolled }: { readonly top: number; readonly height: number; readonly scrolled: number },
  clip: Stretch,
): Stretch | undefined => {
  const from = Math.max(top, clip.from) - top + scrolled;
  const to = Math.min(top + height, clip.to) - top + scrolled;
  return to > from ? { from, to } : undefined;
};

/** Adds a stretch; the result is in order, with stretches that touch joined. */
export const addStretch = (seen: readonly Stretch[], added: Stretch): readonly Stretch[] => {
  const joined: Stretch[] = [];
  for (const next of [...seen, added].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last === undefined || next.from > last.to + MAX_GAP_PX) joined.push(next);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
  }
  return joined;
};

/** What is left of a stretch without `taken`: the parts before and behind that. */
export const withoutStretch = ({ from, to }: Stretch, taken: Stretch): readonly Stretch[] =>
  [
    { from, to: Math.min(to, taken.from) },
    { from: Math.max(from, taken.to), to },
  ].filter((left) => left.to > left.from);

/** Where the first part that has not been in view begins; undefined when all of it has. */
export const firstUnseen = (seen: readonly Stretch[], height: number): number | undefined => {
  const [first] = seen;
  if (first === undefined || first.from > MAX_GAP_PX) return height > 0 ? 0 : undefined;
  return first.to < height - MAX_GAP_PX ? first.to : undefined;
};

/** Put these on a button that unfolds or fetches what is not on the page yet. */
export const UNFOLDS = { "data-unfolds": "" } as const;

/** Boxes that scroll by themselves. */
const SCROLLERS = ".mono, .changes";

/** `width` is what the lines were wrapped for: at another width they are elsewhere. */
type Seen = { readonly width: number; readonly stretches: readonly Stretch[] };

/** Once `isWhole` is true, it stays so. `showRest` scrolls to what has not been in view. */
export const useWholeView = (
  part: RefObject<HTMLElement>,
): { readonly isWhole: boolean; readonly showRest: () => void } => {
  const [isWhole, setWhole] = useState(false);
  const seen = useRef(new Map<Element, Seen>());

  const look = useCallback((): void => {
    const element = part.current;
    if (!element || document.hidden || !isDrawn(element) || isCovered(element)) return;
    const pieces = piecesOf(element);
    for (const piece of pieces) markSeen(seen.current, piece);
    if (element.querySelector("[data-unfolds]") !== null) return;
    if (pieces.every((piece) => unseenOf(seen.current, piece) === undefined)) setWhole(true);
  }, [part]);

  // Looks from the first frame on that shows the part.
  useLayoutEffect(() => {
    const element = part.current;
    if (!element || isWhole) return undefined;
    // Only what was drawn in a frame has been in view.
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
    // `scroll` does not bubble. `focusin` comes when a dialog that covered the part closes, `beforetoggle` when a popover comes or goes.
    const leave = new AbortController();
    const options = { capture: true, passive: true, signal: leave.signal };
    for (const kind of ["scroll", "focusin", "beforetoggle", "visibilitychange"])
      document.addEventListener(kind, lookSoon, options);
    for (const kind of ["resize", "scroll"]) visualViewport?.addEventListener(kind, lookSoon, options);
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

/** Inner boxes first: their content is read before what is around them. */
const piecesOf = (element: HTMLElement): readonly HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>(SCROLLERS),
  element,
];

const markSeen = (seen: Map<Element, Seen>, piece: HTMLElement): void => {
  const { top, height } = piece.getBoundingClientRect();
  const box = { top, height, scrolled: piece.scrollTop };
  const inView = clipsOf(piece).flatMap((clip) => stretchInView(box, clip) ?? []);
  if (inView.length === 0) return;
  const width = piece.clientWidth;
  const before = seen.get(piece);
  seen.set(piece, { width, stretches: inView.reduce(addStretch, before?.width === width ? before.stretches : []) });
};

const unseenOf = (seen: Map<Element, Seen>, piece: HTMLElement): number | undefined =>
  firstUnseen(seen.get(piece)?.stretches ?? [], piece.scrollHeight);

/** The parts of the window in which nothing around the element clips it and nothing lies over it. */
const clipsOf = (element: HTMLElement): readonly Stretch[] => {
  // The part of the page that is zoomed into, without what a phone's keyboard covers.
  let from = visualViewport?.offsetTop ?? 0;
  let to = from + (visualViewport?.height ?? innerHeight);
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible") continue;
    const { top, bottom } = around.getBoundingClientRect();
    from = Math.max(from, top);
    to = Math.min(to, bottom);
  }
  return coversOf(element).reduce<readonly Stretch[]>(
    (clips, cover) => clips.flatMap((clip) => withoutStretch(clip, cover)),
    [{ from, to }],
  );
};

/** The stretches of the window where toasts or menus lie over the element. */
const coversOf = (element: HTMLElement): readonly Stretch[] => {
  const { left, right } = element.getBoundingClientRect();
  return [...document.querySelectorAll(":popover-open")]
    .filter((popover) => !popover.contains(element))
    .map((popover) => popover.getBoundingClientRect())
    .filter((cover) => cover.left < right && cover.right > left)
    .map(({ top, bottom }) => ({ from: top, to: bottom }));
};

/** An element that is not drawn has no height, so nothing of it would count as unseen. */
const isDrawn = (element: HTMLElement): boolean => element.getClientRects().length > 0;

const isCovered = (element: HTMLElement): boolean => {
  const dialogs = [...document.querySelectorAll("dialog:modal")];
  return dialogs.some((dialog) => !dialog.contains(element));
};

const goTo = (piece: HTMLElement, unseen: number): void => {
  if (piece.tabIndex >= 0) piece.focus({ preventScroll: true });
  piece.scrollTop = unseen;
  const at = piece.getBoundingClientRect().top + unseen - piece.scrollTop;
  const clips = clipsOf(piece);
  // The box itself may be only partly in view.
  if (clips.some(({ from, to }) => at >= from && at < to)) return;
  piece.closest(".log")?.scrollBy(0, at - (clips[0]?.from ?? 0));
  panTo(piece.getBoundingClientRect().top + unseen - piece.scrollTop);
};

/** Moves the view of a zoomed page to a height in the window. Only the browser can do that, and only to an element. */
const panTo = (top: number): void => {
  const mark = document.createElement("i");
  mark.style.cssText = `position: fixed; top: ${top}px`;
  document.body.append(mark);
  mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  mark.remove();
};
