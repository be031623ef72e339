/** What the list has room for. That depends on its own width, because the agent or a stock may be beside it, and on the size of text. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { compactRows } from "../../../state/density.ts";
import { useStore } from "../../../state/store.ts";
import { LOW, PHONE, useMedia } from "../../../state/use-media.ts";
import { type ListRoom, roomOf, TABLE_WIDTH, USUAL_TEXT } from "./room-of.ts";

/** The width assumed on a phone, in px, until the list is measured. */
const USUAL_WIDTH = 300;

const rootText = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The room that an element has: guessed from the window until the element is measured, which happens before the first paint. */
export const useListRoom = (element: RefObject<HTMLElement>): ListRoom => {
  const isPhone = useMedia(PHONE);
  const isChosen = useStore(compactRows);
  // On its side, a phone has no height to spare.
  const isCompact = useMedia(LOW) || isChosen;
  const [room, setRoom] = useState(() => roomOf(isPhone ? USUAL_WIDTH : TABLE_WIDTH, USUAL_TEXT, isCompact));
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = (): void => {
      const next = roomOf(current.clientWidth, rootText(), isCompact);
      // The same object while nothing changes, so that rows need not render again.
      setRoom((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, isCompact]);
  return room;
};
