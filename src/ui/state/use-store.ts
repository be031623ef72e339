/** A store's value in a component. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Store } from "./store.ts";

/** The value now; the component renders again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value => {
  const [value, show] = useState(store.get);
  useLayoutEffect(() => {
    // What changed between the render and this effect would be missed otherwise.
    const read = (): void => show(() => store.get());
    read();
    return store.subscribe(read);
  }, [store]);
  return value;
};
