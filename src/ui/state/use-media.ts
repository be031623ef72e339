import { useMemo } from "preact/hooks";
import { type Store, useStore } from "./store.ts";

/** Windows where the frame has one column and a bottom bar. */
export const PHONE = "(max-width: 767px)";

/** A phone on its side, or a strong zoom. `ui/stocks/list/list-totals.css` has it too. */
export const LOW = "(max-height: 480px)";

/** Windows where the agent's panel fits beside a screen. */
export const ROOM_FOR_AGENT = "(min-width: 961px)";

/** Windows where a stock fits beside the list. */
export const ROOM_FOR_STOCK = "(min-width: 1100px)";

/** Whether a media query matches now; the component renders again when that changes. */
export const useMedia = (query: string): boolean => {
  const store = useMemo<Store<boolean>>(() => {
    const list = matchMedia(query);
    return {
      get: () => list.matches,
      // Only the device can change it.
      set: () => {},
      subscribe: (listener) => {
        list.addEventListener("change", listener);
        return () => list.removeEventListener("change", listener);
      },
    };
  }, [query]);
  return useStore(store);
};
