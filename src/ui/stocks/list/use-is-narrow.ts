/** Whether there is room for one column only. It is the list's own width that counts: the agent may stand beside it. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { PHONE, useMedia } from "../../state/use-media.ts";

/** Under this width there are cards, in px. */
const TABLE_WIDTH = 640;

/** Guesses by the window until the element is measured, which is before the first paint. */
export const useIsNarrow = (element: RefObject<HTMLElement>): boolean => {
  const isPhone = useMedia(PHONE);
  const [isNarrow, setNarrow] = useState(isPhone);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = (): void => setNarrow(current.clientWidth < TABLE_WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return isNarrow;
};
