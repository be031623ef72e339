/** The search as it is typed: shown at once, put into the address when the typing pauses. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";

/** A pause of this length ends a burst of typing. */
const PAUSE_MS = 300;

/** The text and how to change it. Follows the address when that changes by Back or by a link. */
export const useSearchText = (): readonly [text: string, search: (text: string) => void] => {
  const { place, go } = useStocksPlace();
  const [text, setText] = useState(place.q);
  const placed = useRef(place.q);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    if (place.q === placed.current) return;
    placed.current = place.q;
    clearTimeout(timer.current);
    setText(place.q);
  }, [place.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = useCallback(
    (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        placed.current = next;
        go({ q: next }, { replace: true });
      }, PAUSE_MS);
    },
    [go],
  );
  return [text, search];
};
