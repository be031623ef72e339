/** The rules behind `useStockActions`: what is shown before the answer, what is said after it. */
import type { ActionInput, ActionOutput } from "../../contract/action.ts";
import type { Stock } from "../../contract/stock.ts";
import type { StockDraft, StockPatch } from "../../contract/stock-draft.ts";
import { formatCount } from "../format/format-count.ts";
import { announce } from "../parts/announcer.tsx";
import { showToast } from "../parts/toasts.tsx";
import { settleEach } from "./settle-each.ts";
import { isConflict, showFailures, showKeptInTrash } from "./stock-failures.ts";
import { removedOverlay, restoredOverlay, watchedOverlay } from "./stock-overlays.ts";
import type { Overlay } from "./stock-store.ts";

/** Ids that a `delete-stock` takes at most (CONTRACT §5). */
const MAX_IDS = 100;

/** The writes themselves. `add` and `remove` take their answers into the list; those of `update` go to `apply`. */
export type StockWrites = {
  readonly show: (overlay: Overlay) => () => void;
  readonly apply: (stocks: readonly Stock[]) => void;
  readonly refreshTrash: () => void;
  readonly add: (input: ActionInput<"add-stock">) => Promise<ActionOutput<"add-stock">>;
  readonly update: (input: ActionInput<"update-stock">) => Promise<ActionOutput<"update-stock">>;
  readonly remove: (ids: readonly string[]) => Promise<unknown>;
};

/** A change of one stock; refused with 409 when `version` is given and the stock is newer. */
type StockEdit = {
  readonly id: string;
  readonly version?: number;
  readonly set: StockPatch;
  /** Also takes it out of the trash. */
  readonly restore?: true;
  readonly idempotencyKey?: string;
};

/** The first three never fail to their caller: they tell the person. The others reject with `ApiError`. */
export type StockActions = {
  /** On or off the watchlist. */
  readonly setWatched: (stocks: readonly Stock[], watched: boolean) => void;
  /** Into the trash, with a note that offers the way back. */
  readonly remove: (stocks: readonly Stock[]) => void;
  /** Out of the trash. */
  readonly restore: (stocks: readonly Stock[]) => void;
  readonly add: (draft: StockDraft, idempotencyKey: string) => Promise<Stock>;
  readonly update: (edit: StockEdit) => Promise<Stock>;
};

/** The actions over whatever `writes` gives at the time. */
export const bindStockActions = (writes: () => StockWrites): StockActions => {
  /** Answers are taken in together: a list of thousands is drawn once, not once for each of a hundred. */
  const updateEach = async (stocks: readonly Stock[], change: { watched: boolean } | "restore", overlay: Overlay) => {
    const takeBack = writes().show(overlay);
    const answers: Stock[] = [];
    const failures = await settleEach(stocks, async ({ id }) => {
      const input = change === "restore" ? { id, restore: true } : { id, set: change };
      answers.push((await writes().update(input)).stock);
    });
    if (answers.length > 0) writes().apply(answers);
    takeBack();
    return failures;
  };

  const setWatched = async (stocks: readonly Stock[], watched: boolean): Promise<void> => {
    const failures = await updateEach(stocks, { watched }, watchedOverlay(idsOf(stocks), watched));
    const undone = watched ? "not put on the watchlist" : "not taken off the watchlist";
    showFailures(failures, [`was ${undone}`, `were ${undone}`], (again) => void setWatched(again, watched));
  };

  const restore = async (stocks: readonly Stock[]): Promise<void> => {
    const failures = await updateEach(stocks, "restore", restoredOverlay(stocks));
    writes().refreshTrash();
    showKeptInTrash(failures.filter(({ error }) => isConflict(error)));
    const others = failures.filter(({ error }) => !isConflict(error));
    const failed = idsOf(failures.map(({ item }) => item));
    const back = stocks.filter(({ id }) => !failed.has(id));
    if (back.length > 0) announce(`${nameOf(back)} restored`);
    showFailures(others, ["was not restored", "were not restored"], (again) => void restore(again));
  };

  const offerUndo = (stocks: readonly Stock[]): (() => void) =>
    showToast({
      text: `${nameOf(stocks)} deleted`,
      action: { label: "Undo", run: () => void restore(stocks) },
    });

  const remove = async (stocks: readonly Stock[]): Promise<void> => {
    if (stocks.length === 0) return;
    const takeBack = writes().show(removedOverlay(idsOf(stocks)));
    const closeNote = offerUndo(stocks);
    const failed = await settleEach(chunksOf(stocks), (chunk) => writes().remove(chunk.map(({ id }) => id)));
    takeBack();
    writes().refreshTrash();
    if (failed.length === 0) return;
    closeNote();
    const failures = failed.flatMap(({ item, error }) => item.map((stock) => ({ item: stock, error })));
    const kept = idsOf(failures.map(({ item }) => item));
    const gone = stocks.filter(({ id }) => !kept.has(id));
    if (gone.length > 0) offerUndo(gone);
    showFailures(failures, ["was not deleted", "were not deleted"], (again) => void remove(again));
  };

  return {
    setWatched: (stocks, watched) => void setWatched(stocks, watched),
    remove: (stocks) => void remove(stocks),
    restore: (stocks) => void restore(stocks),
    add: async (draft, idempotencyKey) => {
      const answer = await writes().add({ ...draft, idempotencyKey });
      // One stock was sent, so one comes back; the contract's other half belongs to `items`.
      if (!("stock" in answer)) throw new TypeError("add-stock answered with results for one stock.");
      return answer.stock;
    },
    update: async (edit) => {
      const { stock } = await writes().update(edit);
      writes().apply([stock]);
      return stock;
    },
  };
};

const nameOf = (stocks: readonly Stock[]): string =>
  stocks.length === 1 && stocks[0] ? stocks[0].symbol : formatCount(stocks.length, "stock", "stocks", "en");

const idsOf = (stocks: readonly Stock[]): ReadonlySet<string> => new Set(stocks.map(({ id }) => id));

const chunksOf = (stocks: readonly Stock[]): readonly (readonly Stock[])[] =>
  Array.from({ length: Math.ceil(stocks.length / MAX_IDS) }, (_, chunk) =>
    stocks.slice(chunk * MAX_IDS, (chunk + 1) * MAX_IDS),
  );
