/** The row that has the list's focus: one stop for the Tab key, arrows between rows, and never lost when a row goes. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";

/** `current` is the index of the row that Tab reaches; -1 in an empty list. */
export type RowFocus = {
  readonly current: number;
  /** The stock whose row, or something in it, has the focus now. */
  readonly focused: () => Stock | undefined;
  /** Moves the focus by rows; when it is elsewhere, to the current row. */
  readonly move: (by: number) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
};

/** The id of the row around an element. */
const rowIdOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>("[data-id]")?.dataset.id : undefined;

/** What has the focus: one of a row's links, buttons and boxes, counted from 0. */
type Held = { readonly id: string; readonly control: number };

const controlsOf = (row: Element | null | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>("a, button, input") ?? []),
];

const heldNow = (list: HTMLElement | null): Held | undefined => {
  const { activeElement } = document;
  const id = list?.contains(activeElement) ? rowIdOf(activeElement) : undefined;
  if (id === undefined || !(activeElement instanceof HTMLElement)) return undefined;
  return { id, control: controlsOf(activeElement.closest("[data-id]")).indexOf(activeElement) };
};

/** `list` is around all rows. A row is focused by its link. */
export const useRowFocus = (list: RefObject<HTMLElement>, stocks: readonly Stock[]): RowFocus => {
  const [place, setPlace] = useState<{ readonly id: string | undefined; readonly index: number }>({
    id: undefined,
    index: 0,
  });
  const wanted = useRef(false);
  const found = stocks.findIndex(({ id }) => id === place.id);
  // A row that went leaves its place to the next one.
  const current = found >= 0 ? found : Math.min(place.index, stocks.length - 1);
  const currentId = stocks[current]?.id;

  // Before this render; its row may get another element, when the list is sorted anew.
  const held = heldNow(list.current);
  useLayoutEffect(() => {
    if (held === undefined || document.activeElement !== document.body) return;
    controlsOf(list.current?.querySelector(`[data-id="${held.id}"]`))[held.control]?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const isLost = place.id !== undefined && found < 0 && document.activeElement === document.body;
    if (!isLost && !wanted.current) return;
    wanted.current = false;
    const link = list.current?.querySelector<HTMLElement>(`[data-id="${currentId}"] .open`);
    link?.focus({ preventScroll: true });
    link?.closest("[data-id]")?.scrollIntoView({ block: "nearest" });
  });

  const focused = (): Stock | undefined => {
    const id = heldNow(list.current)?.id;
    return stocks.find((stock) => stock.id === id);
  };
  const focusRow = (index: number): void => {
    wanted.current = true;
    setPlace({ id: stocks[index]?.id, index });
  };
  return {
    current,
    focused,
    move: (by) => {
      const start = focused() ? current + by : current;
      focusRow(Math.min(Math.max(start, 0), stocks.length - 1));
    },
    onFocusIn: (event) => {
      const id = rowIdOf(event.target);
      const index = stocks.findIndex((stock) => stock.id === id);
      if (index >= 0 && id !== place.id) setPlace({ id, index });
    },
  };
};
