import { useState } from "preact/hooks";

/** Most values that are kept; then the oldest is forgotten. */
const MAX_KEPT = 50;

/**
 * Makes a `useState` whose value outlives the component, for as long as the page lives: what was begun in a card is there again when the
 * card is. Give each value a key of its own; a component keeps the same key for its whole life.
 */
export const keptState = <Value>(): ((key: string, first: Value) => readonly [Value, (next: Value) => void]) => {
  const kept = new Map<string, Value>();
  return (key, first) => {
    const [value, setValue] = useState<Value>(() => kept.get(key) ?? first);
    const set = (next: Value): void => {
      kept.delete(key);
      kept.set(key, next);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      setValue(() => next);
    };
    return [value, set];
  };
};
