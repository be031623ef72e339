/** A value that components can watch: what outlives a component but is nobody's server data. */

/** `set` tells every listener, unless the value stays the same. */
export type Store<Value> = {
  get(): Value;
  set(next: Value): void;
  /** Calls `listener` after each change; gives what ends it. */
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
