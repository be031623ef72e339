/** The selected stocks. Only what is shown can be selected: nobody should delete what they do not see. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { useStore } from "../../state/use-store.ts";
import { selection } from "../selection.ts";

/** `isSelecting`: whether cards have their boxes. */
type Selection = {
  readonly selected: readonly Stock[];
  readonly isSelecting: boolean;
  readonly toggleSelecting: () => void;
  readonly clear: () => void;
};

/** Sorting keeps the selection; a stock that is not shown any more leaves it. */
export const useSelection = (shown: readonly Stock[]): Selection => {
  const ids = useStore(selection);
  const [isWanted, want] = useState(false);
  const selected = useMemo(() => {
    const wanted = new Set(ids);
    return wanted.size === 0 ? [] : shown.filter(({ id }) => wanted.has(id));
  }, [ids, shown]);
  // At once: an effect after the paint would take back what is ticked before it.
  useLayoutEffect(() => {
    if (selected.length === ids.length) return;
    const left = new Set<string>(selected.map(({ id }) => id));
    selection.set(ids.filter((id) => left.has(id)));
  }, [selected, ids]);
  const clear = (): void => {
    want(false);
    selection.set([]);
  };
  const isSelecting = isWanted || selected.length > 0;
  return { selected, isSelecting, toggleSelecting: () => (isSelecting ? clear() : want(true)), clear };
};
