/** Scrolling of a log that grows at its end. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Nearer to the end than this counts as being there, in px. */
const NEAR_END = 48;

/** `content` changes whenever anything shown does, `newest` only with something new at the end. Starts at the end. */
export const useStickToEnd = (
  box: RefObject<HTMLElement>,
  inner: RefObject<HTMLElement>,
  content: unknown,
  newest: string,
): {
  readonly isAtEnd: boolean;
  /** Something came while the person read above. */
  readonly hasNews: boolean;
  readonly goToEnd: () => void;
  /** Call it before more is put in above: what is seen stays where it is. */
  readonly keepPlace: () => void;
} => {
  const [isAtEnd, setAtEnd] = useState(true);
  const [hasNews, setNews] = useState(false);
  const sticks = useRef(true);
  const place = useRef<number>();

  const follow = useCallback((): void => {
    const element = box.current;
    if (element && sticks.current) element.scrollTop = element.scrollHeight;
  }, [box]);

  const goToEnd = useCallback((): void => {
    sticks.current = true;
    setAtEnd(true);
    setNews(false);
    follow();
    // The button that was pressed goes away.
    box.current?.focus({ preventScroll: true });
  }, [box, follow]);

  const keepPlace = useCallback((): void => {
    const element = box.current;
    place.current = element ? element.scrollHeight - element.scrollTop : undefined;
  }, [box]);

  useEffect(() => {
    const element = box.current;
    if (!element || !inner.current) return undefined;
    let lastTop = element.scrollTop;
    const settle = (): void => {
      const isNear = isNearEnd(element);
      sticks.current = isNear;
      setAtEnd(isNear);
      if (isNear) setNews(false);
    };
    const onScroll = (): void => {
      // Content that grows in the same frame puts the end farther away without anybody having scrolled.
      const hasGoneUp = element.scrollTop < lastTop;
      lastTop = element.scrollTop;
      if (sticks.current && !hasGoneUp && !isNearEnd(element)) return;
      settle();
    };
    const onClick = ({ target }: Event): void => {
      // What a person unfolds stays where they look: they want to read its beginning, not the log's end.
      if (!(target instanceof Element) || !target.closest("summary")) return;
      sticks.current = false;
    };
    // Some time after the click; what it shows is there in the next frame. What unfolds by itself is followed on.
    const onToggle = (): void => {
      if (!sticks.current) requestAnimationFrame(settle);
    };
    // Both: the log grows, and the keyboard of a phone takes room from it.
    const observer = new ResizeObserver(follow);
    observer.observe(inner.current);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("click", onClick);
    // It does not bubble.
    element.addEventListener("toggle", onToggle, { capture: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("click", onClick);
      element.removeEventListener("toggle", onToggle, { capture: true });
    };
  }, [box, inner, follow]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (place.current !== undefined) {
      element.scrollTop = element.scrollHeight - place.current;
      place.current = undefined;
    } else follow();
  }, [box, content, follow]);

  // With the render that shows it: a person who scrolls up right after has seen it.
  useLayoutEffect(() => {
    if (!sticks.current) setNews(true);
  }, [newest]);

  return { isAtEnd, hasNews, goToEnd, keepPlace };
};

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < NEAR_END;
