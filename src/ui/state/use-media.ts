/** A media query in a component. */
import { useMemo } from "preact/hooks";
import type { Store } from "./store.ts";
import { useStore } from "./use-store.ts";

/** Where the frame has one column and a bottom bar. */
export const PHONE = "(max-width: 767px)";

/** Where the agent's panel stands beside a screen. */
export const ROOM_FOR_AGENT = "(min-width: 961px)";

/** Whether a media query holds now. */
export const useMedia = (query: string): boolean => {
  const store = useMemo<Store<boolean>>(() => {
    const list = matchMedia(query);
    return {
      get: () => list.matches,
      // The device decides, not the page.
      set: () => {},
      subscribe: (listener) => {
        list.addEventListener("change", listener);
        return () => list.removeEventListener("change", listener);
      },
    };
  }, [query]);
  return useStore(store);
};
