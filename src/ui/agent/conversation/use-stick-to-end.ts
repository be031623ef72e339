/** Scrolling for a log that grows at its end. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Closer to the end than this, in px, counts as being at the end. */
const NEAR_END = 48;

/** The same for a person who has just scrolled up to read there, in px: only as much as browsers round. */
const AT_END = 2;

/** Room above a part that is held, in px. */
const HELD_GAP = 12;

/** A part that stays `gap` px below the log's top while what is above it loads. `isSought`: the person came for it. */
type Held = { readonly part: Element; readonly gap: number; readonly isSought: boolean };

/** Selects the parts that keep their place when something is added above them. */
const PART = ".run";

/** Events by which a person scrolls by themselves, or does what they came for. */
const OWN_MOVES = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * `content` changes with anything shown, `newest` only when something new appears at the end. `newest` is empty while the log is: an
 * empty log is read from its top, and any other starts at its end.
 */
export const useStickToEnd = (
  box: RefObject<HTMLElement>,
  inner: RefObject<HTMLElement>,
  content: unknown,
  newest: string,
): {
  readonly isAtEnd: boolean;
  /** Something new appeared while the person was reading above. */
  readonly hasNews: boolean;
  /** Shows the end, and stays there. */
  readonly goToEnd: () => void;
  /** Brings a part into view and keeps it there while what is above it still loads, until the person moves. */
  readonly hold: (part: HTMLElement) => void;
  /** Call it before adding content above, so that the visible part stays where it is. */
  readonly keepPlace: () => void;
} => {
  const [isAtEnd, setAtEnd] = useState(true);
  const [hasNews, setNews] = useState(false);
  const sticks = useRef(true);
  const held = useRef<Held>();
  /** Where the log was last scrolled to, by itself or by the person. */
  const lastTop = useRef(0);
  /** Nothing of the log was drawn, which may have put it back to its top. */
  const wasHidden = useRef(false);
  const isNothing = useRef(true);
  isNothing.current = newest === "";

  const follow = useCallback((): void => {
    const element = box.current;
    if (!element) return;
    if (isHidden(element)) {
      wasHidden.current = true;
      return;
    }
    const { part, gap = 0 } = held.current ?? {};
    if (part?.isConnected) element.scrollTop += topOf(part) - topOf(element) - gap;
    else if (sticks.current && !isNothing.current) element.scrollTop = element.scrollHeight;
    else if (wasHidden.current) element.scrollTop = lastTop.current;
    wasHidden.current = false;
    // One scroll event can report both this and a person who scrolls up in the same frame.
    lastTop.current = element.scrollTop;
  }, [box]);

  const hold = useCallback(
    (part: HTMLElement): void => {
      held.current = { part, gap: HELD_GAP, isSought: true };
      sticks.current = false;
      follow();
    },
    [follow],
  );

  const goToEnd = useCallback((): void => {
    held.current = undefined;
    sticks.current = true;
    setAtEnd(true);
    setNews(false);
    follow();
  }, [follow]);

  // A browser that keeps the place by itself, as Safari does from version 27 on, leaves nothing to correct.
  const keepPlace = useCallback((): void => {
    if (!box.current || sticks.current) return;
    const top = topOf(box.current);
    const part = [...box.current.querySelectorAll(PART)].find((one) => one.getBoundingClientRect().bottom > top);
    if (part) held.current = { part, gap: topOf(part) - top, isSought: false };
  }, [box]);

  useEffect(() => {
    const element = box.current;
    if (!element || !inner.current) return undefined;
    lastTop.current = element.scrollTop;
    const settle = (within = NEAR_END): void => {
      const isNear = isNearEnd(element, within);
      sticks.current = isNear;
      setAtEnd(isNear);
      if (isNear) setNews(false);
    };
    const onScroll = (): void => {
      if (isNothing.current || isHidden(element)) return;
      // A screen reader, say, has moved the log, or a browser that keeps the place by itself and needs no help.
      if (held.current?.isSought === false && element.scrollTop !== lastTop.current) held.current = undefined;
      // Content that grows in the same frame moves the end away without anybody having scrolled.
      const hasGoneUp = element.scrollTop < lastTop.current;
      lastTop.current = element.scrollTop;
      if (sticks.current && !hasGoneUp && !isNearEnd(element)) return;
      settle(hasGoneUp ? AT_END : NEAR_END);
    };
    const onClick = ({ target }: Event): void => {
      // What a person unfolds stays in view: they want to read its beginning, not the end of the log.
      if (!(target instanceof Element) || !target.closest("summary")) return;
      sticks.current = false;
    };
    const letGo = (): void => {
      held.current = undefined;
    };
    // `toggle` comes after the click, and the unfolded content is laid out in the next frame. What unfolds by itself is followed.
    const onToggle = (): void => {
      if (!sticks.current) requestAnimationFrame(() => settle());
    };
    // Observes the content and the log, because the content grows and a phone's keyboard takes room from the log.
    const observer = new ResizeObserver(() => {
      follow();
      // Once all of the log is in view there is nothing left to scroll to, so no scroll event would come.
      if (!isHidden(element) && element.scrollHeight <= element.clientHeight) settle();
    });
    observer.observe(inner.current);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("click", onClick);
    // `toggle` does not bubble.
    element.addEventListener("toggle", onToggle, { capture: true });
    for (const move of OWN_MOVES) element.addEventListener(move, letGo, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("click", onClick);
      element.removeEventListener("toggle", onToggle, { capture: true });
      for (const move of OWN_MOVES) element.removeEventListener(move, letGo);
    };
  }, [box, inner, follow]);

  useLayoutEffect(() => {
    follow();
  }, [content, follow]);

  // In the same render, because a person who scrolls up right afterwards has seen what is new.
  useLayoutEffect(() => {
    if (!sticks.current && held.current?.isSought !== true) setNews(true);
  }, [newest]);

  return { isAtEnd, hasNews, goToEnd, hold, keepPlace };
};

const topOf = (element: Element): number => element.getBoundingClientRect().top;

const isHidden = (element: HTMLElement): boolean => element.getClientRects().length === 0;

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement, within = NEAR_END): boolean =>
  scrollHeight - scrollTop - clientHeight < within;
