import { useQueryClient } from "@tanstack/preact-query";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { useStocksPlace } from "../../../navigation/stocks-place.ts";
import { showToast } from "../../../parts/toasts.tsx";
import { askAbout } from "../../../state/agent-panel.ts";
import { selection } from "../../../state/selection.ts";
import { useStore } from "../../../state/store.ts";
import { useMinute } from "../../../state/use-minute.ts";
import type { StockActions } from "../../store/bind-stock-actions.ts";
import { flashes, priceWanted, sparks } from "../../store/row-state.ts";
import { useStockStore } from "../../store/stock-store.ts";
import { stockActionsMaker } from "../lazy-list-extras.ts";
import type { ListRoom } from "../shown/room-of.ts";
import type { RowActions } from "./row-props.ts";
import { StockCard, StockRow } from "./stock-row.tsx";
import { cutStretches, useRowWindow } from "./use-row-window.ts";

type ListRowsProps = {
  readonly room: ListRoom;
  readonly body: RefObject<HTMLElement>;
  readonly stocks: readonly Stock[];
  readonly words: readonly string[];
  readonly current: number;
  readonly isSelecting: boolean;
  readonly actions: RowActions;
};

/** The rendered rows, and gaps as high as the rows that are not rendered. Direct children of `body`. */
export const ListRows = ({ room, body, stocks, words, current, isSelecting, actions }: ListRowsProps) => {
  const kind = room.isTable ? "row" : "card";
  const height = room.rowPx;
  const lines = useStore(sparks);
  const { place } = useStocksPlace();
  const openId = place.dialog && place.stockId;
  const range = useRowWindow(body, height, stocks.length, words);
  const selected = useStore(selection);
  const flashing = useStore(flashes);
  const now = useMinute();
  const Row = kind === "card" ? StockCard : StockRow;
  return (
    <>
      {cutStretches(range, stocks.length, current).map(({ kind: stretch, start, end }) => {
        const stock = stocks[start];
        return stretch === "row" && stock ? (
          <Row
            key={stock.id}
            stock={stock}
            words={words}
            index={start}
            count={stocks.length}
            isCurrent={start === current}
            isSelected={selected.includes(stock.id)}
            isSelecting={isSelecting}
            isFlashing={flashing.has(stock.id)}
            isOpen={stock.id === openId}
            room={room}
            spark={lines.get(stock.id)}
            now={now}
            actions={actions}
          />
        ) : (
          <Gap
            // A key of its own on each side of the current row, which would lose the focus if its element had to move.
            key={`${start < current ? "above" : "below"} ${start === 0 ? "start" : end === stocks.length ? "end" : "between"}`}
            kind={kind}
            height={(end - start) * height}
          />
        );
      })}
    </>
  );
};

const Gap = ({ kind, height }: { readonly kind: "card" | "row"; readonly height: number }) =>
  kind === "card" ? (
    <li class="gap" aria-hidden="true" style={{ height: `${height}px` }} />
  ) : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr class="gap" aria-hidden="true">
      <td style={{ height: `${height}px` }} />
    </tr>
  );

/**
 * Writes at once if the code for it has loaded. Otherwise the write waits for the code; if that fails to load, the person is
 * told that nothing was changed.
 */
const useWrite = (): ((write: (actions: StockActions) => void) => void) => {
  const client = useQueryClient();
  const store = useStockStore();
  return useMemo(() => {
    let actions: StockActions | undefined;
    return async (write) => {
      const make = stockActionsMaker.now() ?? (await stockActionsMaker.fetch()).code;
      if (make === undefined) {
        showToast({ text: "Nothing was changed. Check your connection and try again.", tone: "bad" });
        return;
      }
      actions ??= make(client, store);
      write(actions);
    };
  }, [client, store]);
};

/** What can be done with a row, by mouse, finger or key. The same object for as long as the list is there. */
export const useRowActions = (): RowActions => {
  const { go } = useStocksPlace();
  const write = useWrite();
  return useMemo(
    () => ({
      open: ({ id }) => go({ dialog: "detail", stockId: id }),
      setPrice: ({ id }) => {
        priceWanted.set(id);
        go({ dialog: "detail", stockId: id });
      },
      edit: ({ id }) => go({ dialog: "edit", stockId: id }),
      toggleWatched: (stock) => write(({ setWatched }) => setWatched([stock], !stock.watched)),
      toggleSelected: ({ id }) => {
        const ids = selection.get();
        selection.set(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
      },
      remove: (stock) => write(({ remove }) => remove([stock])),
      askAbout,
    }),
    [go, write],
  );
};
