/** Values that components can watch: client state that outlives a component. */
import { useLayoutEffect, useState } from "preact/hooks";

/** `set` notifies every listener, unless the value stays the same. */
export type Store<Value> = {
  get(): Value;
  set(next: Value): void;
  /** Calls `listener` after each change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void;
};

/** A store that starts with `value`. */
export const createStore = <Value>(value: Value): Store<Value> => {
  let current = value;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (next) => {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The current value; the component renders again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value => {
  const [value, show] = useState(store.get);
  useLayoutEffect(() => {
    // Otherwise a change between the render and this effect would be missed.
    const read = (): void => show(() => store.get());
    read();
    return store.subscribe(read);
  }, [store]);
  return value;
};
