/**
 * The search as it is typed. The field keeps its own text; the list follows after the letter is on the screen, and the
 * address when the typing pauses.
 */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StocksPlace } from "../../navigation/stocks-place.ts";
import { putTyped, useStocksPlace } from "../../navigation/use-stocks-place.ts";

/** Where a frame that shows nothing but a letter takes longer than this, in ms, the list takes longer than a frame. */
const LETTER_FRAME_MS = 5;

/** There the list waits for a pause of this length, in ms: longer than between two keys. The next one would wait for it. */
const LETTER_PAUSE_MS = 200;

/** A pause of this length, in ms, ends a burst of typing. */
const PAUSE_MS = 300;

/** `text` is what the list shows; it may be behind the field. */
export type Search = {
  readonly text: string;
  readonly field: RefObject<HTMLInputElement>;
  /** Follows what is in the field now. */
  readonly type: (typed: string) => void;
  /** Shows a text at once, in the field as well, with another change of the place if there is one. */
  readonly show: (text: string, change?: Partial<StocksPlace>) => void;
};

/** Follows the address when that changes by Back or by a link. */
export const useSearch = (): Search => {
  const { place, go } = useStocksPlace();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(place.q);
  const frame = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const cancel = (): void => {
    cancelAnimationFrame(frame.current);
    clearTimeout(timer.current);
    putTyped.current = undefined;
  };
  const type = (typed: string): void => {
    cancel();
    const put = (): void => go({ q: typed }, { replace: true });
    putTyped.current = put;
    // After the frame that shows the letter: the list may take longer than the letter should.
    frame.current = requestAnimationFrame(() => {
      const start = performance.now();
      timer.current = setTimeout(() => {
        const isSlow = performance.now() - start > LETTER_FRAME_MS;
        timer.current = setTimeout(
          () => {
            setText(typed);
            timer.current = setTimeout(put, PAUSE_MS);
          },
          isSlow ? LETTER_PAUSE_MS : 0,
        );
      });
    });
  };
  const write = (next: string): void => {
    // Else a search that still waits would come after this one.
    cancel();
    if (field.current) field.current.value = next;
    setText(next);
  };
  // Before anything more can be typed, which a later effect would overwrite.
  useLayoutEffect(() => {
    // What was typed here comes back from the address, too: in the same task, so that the field still has it.
    if (field.current?.value !== place.q) write(place.q);
  }, [place.q]);
  useEffect(() => cancel, []);
  const show: Search["show"] = (next, change) => {
    write(next);
    go({ ...change, q: next }, { replace: true });
  };
  return { text, field, type, show };
};
