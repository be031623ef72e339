/** The rules behind `useStockActions`: what is shown before the server responds, and what is said afterwards. */
import type { ActionInput, ActionOutput } from "../../../contract/action.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { StockDraft, StockPatch } from "../../../contract/stocks/stock-values.ts";
import { formatCount } from "../../format/format-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { applyChange, type ChangedStocks } from "./changed-stocks.ts";
import { type Failure, settleEach } from "./settle-each.ts";
import { isConflict, showFailures, showKeptInTrash } from "./stock-failures.ts";
import type { Overlay, StockStore } from "./stock-store.ts";

/** Shown before the server confirms it, as are the next three. Puts stocks on the watchlist, or takes them off. */
export const watchedOverlay = (ids: ReadonlySet<string>, watched: boolean): Overlay => {
  const status = watched ? "watching" : "inactive";
  const change = (stock: Stock): Stock =>
    stock.status === "holding" ? { ...stock, watched } : { ...stock, watched, status };
  return (items) => items.map((stock) => (ids.has(stock.id) ? change(stock) : stock));
};

/** Gives stocks another currency. Their figures follow with the server's answer. */
const currencyOverlay =
  (ids: ReadonlySet<string>, currency: string): Overlay =>
  (items) =>
    items.map((stock) => (ids.has(stock.id) ? { ...stock, currency } : stock));

/** Removes stocks from the list. */
export const removedOverlay =
  (ids: ReadonlySet<string>): Overlay =>
  (items) =>
    items.filter(({ id }) => !ids.has(id));

/** Puts deleted stocks back into the list. */
export const restoredOverlay =
  (stocks: readonly Stock[]): Overlay =>
  (items) => {
    const listed = new Set(items.map(({ id }) => id));
    const back = stocks.filter(({ id }) => !listed.has(id)).map((stock) => ({ ...stock, deletedAt: null }));
    return [...items, ...back];
  };

/** Most ids that `delete-stock` takes (api.md §5). */
const MAX_IDS = 100;

/** The writes themselves. `add` and `remove` apply their results to the list; those of `update` are passed to what `begin` returned. */
type StockWrites = {
  readonly show: (overlay: Overlay) => () => void;
  /** Marks the beginning of a write. Call the result once, with the stocks of its answers: what is received meanwhile is newer than they are. */
  readonly begin: () => (stocks: readonly Stock[]) => void;
  readonly refreshTrash: () => void;
  /** Reads the list again, with its sums and the trash. */
  readonly refreshAll: () => void;
  /** Does `work` once all that was pressed before about these stocks is done. */
  readonly inOrder: <Result>(ids: readonly string[], work: () => Promise<Result>) => Promise<Result>;
  readonly add: (input: ActionInput<"add-stock">) => Promise<ActionOutput<"add-stock">>;
  readonly update: (input: ActionInput<"update-stock">) => Promise<ActionOutput<"update-stock">>;
  readonly remove: (ids: readonly string[]) => Promise<unknown>;
};

/** A change to one stock. Fails with 409 when `version` is given and the stock is newer. */
type StockEdit = Readonly<ActionInput<"update-stock">>;

/** The first four never reject: they show a toast when they fail. The others reject with `ApiError`. */
export type StockActions = {
  /** Puts stocks on the watchlist, or takes them off. Resolves to the ids of those that failed. */
  readonly setWatched: (stocks: readonly Stock[], watched: boolean) => Promise<ReadonlySet<string>>;
  /** Changes what the amounts of stocks are in, not the amounts. Resolves to the ids of those that failed. */
  readonly setCurrency: (stocks: readonly Stock[], currency: string) => Promise<ReadonlySet<string>>;
  /** Moves stocks to the trash, with a toast that offers to undo it. */
  readonly remove: (stocks: readonly Stock[]) => void;
  /** Takes stocks out of the trash. */
  readonly restore: (stocks: readonly Stock[]) => void;
  readonly add: (draft: StockDraft, idempotencyKey: string) => Promise<Stock>;
  readonly update: (edit: StockEdit) => Promise<Stock>;
};

/** Begins a write. Call the result once, with the stocks of its answers: they are applied like a change as old as the beginning. */
export const beginWrite = (store: StockStore): ReturnType<StockWrites["begin"]> => {
  const since: ChangedStocks[] = [];
  store.journals.add(since);
  return (stocks) => {
    store.journals.delete(since);
    if (stocks.length > 0) store.apply({ stocks: since.reduce(applyChange, stocks), deleted: [] });
  };
};

/** The actions over the writes. */
export const bindStockActions = (writes: StockWrites): StockActions => {
  const { refreshAll } = writes;
  const inOrderOf = <Result>(stocks: readonly Stock[], work: () => Promise<Result>): Promise<Result> =>
    writes.inOrder([...idsOf(stocks)], work);

  /**
   * Answers are taken in together: a list of thousands is drawn once, not once for each of a hundred. All stocks take their turn at once,
   * though few are sent at a time: otherwise what is pressed next would come before the last of them.
   */
  const updateEach = async (stocks: readonly Stock[], change: StockPatch | "restore", overlay: Overlay) => {
    const takeBack = writes.show(overlay);
    const failures = await inOrderOf(stocks, async () => {
      // Begun only in its turn, so that what was pressed before does not count as newer than these answers.
      const apply = writes.begin();
      const answers: Stock[] = [];
      const failed = await settleEach(stocks, async ({ id }) => {
        const input = change === "restore" ? { id, restore: true } : { id, set: change };
        answers.push((await writes.update(input)).stock);
      });
      apply(answers);
      return failed;
    });
    takeBack();
    return failures;
  };

  const setWatched: StockActions["setWatched"] = async (stocks, watched) => {
    const failures = await updateEach(stocks, { watched }, watchedOverlay(idsOf(stocks), watched));
    const done = watched ? "added to the watchlist" : "removed from the watchlist";
    showFailures(failures, done, { refreshAll, retry: (again) => void setWatched(again, watched) });
    return failedOf(failures);
  };

  const setCurrency: StockActions["setCurrency"] = async (stocks, currency) => {
    const failures = await updateEach(stocks, { currency }, currencyOverlay(idsOf(stocks), currency));
    const done = `changed to ${currency}`;
    showFailures(failures, done, { refreshAll, retry: (again) => void setCurrency(again, currency) });
    return failedOf(failures);
  };

  const restore = async (stocks: readonly Stock[]): Promise<void> => {
    const failures = await updateEach(stocks, "restore", restoredOverlay(stocks));
    writes.refreshTrash();
    showKeptInTrash(failures.filter(({ error }) => isConflict(error)));
    const others = failures.filter(({ error }) => !isConflict(error));
    const failed = failedOf(failures);
    const back = stocks.filter(({ id }) => !failed.has(id));
    if (back.length > 0) announce(`${nameOf(back)} restored`);
    showFailures(others, "restored", { refreshAll, retry: (again) => void restore(again) });
  };

  const remove = async (stocks: readonly Stock[]): Promise<void> => {
    if (stocks.length === 0) return;
    const undone: Promise<void>[] = [];
    const offerUndo = (gone: readonly Stock[]): (() => void) =>
      showToast({
        text: `${nameOf(gone)} deleted`,
        action: { label: "Undo", run: () => void undone.push(restore(gone)) },
      });
    const takeBack = writes.show(removedOverlay(idsOf(stocks)));
    const closeToast = offerUndo(stocks);
    const failed = await inOrderOf(stocks, () =>
      settleEach(chunksOf(stocks), (chunk) => writes.remove(chunk.map(({ id }) => id))),
    );
    takeBack();
    writes.refreshTrash();
    // The person has pressed Undo meanwhile: what was not deleted was to stay anyway.
    if (failed.length === 0 || undone.length > 0) return;
    closeToast();
    const failures = failed.flatMap(({ item, error }) => item.map((stock) => ({ item: stock, error })));
    const kept = failedOf(failures);
    const gone = stocks.filter(({ id }) => !kept.has(id));
    if (gone.length > 0) offerUndo(gone);
    showFailures(failures, "deleted", { refreshAll, retry: (again) => void remove(again) });
  };

  return {
    setWatched,
    setCurrency,
    remove: (stocks) => void remove(stocks),
    restore: (stocks) => void restore(stocks),
    add: async (draft, idempotencyKey) => {
      const answer = await writes.add({ ...draft, idempotencyKey });
      // One stock was sent, so one comes back; the contract's other half belongs to `items`.
      if (!("stock" in answer)) throw new TypeError("add-stock answered with results for one stock.");
      return answer.stock;
    },
    update: (edit) =>
      writes.inOrder([edit.id], async () => {
        const apply = writes.begin();
        const answers: Stock[] = [];
        try {
          const { stock } = await writes.update(edit);
          answers.push(stock);
          return stock;
        } finally {
          apply(answers);
        }
      }),
  };
};

const nameOf = (stocks: readonly Stock[]): string =>
  stocks.length === 1 && stocks[0] ? stocks[0].symbol : formatCount(stocks.length, "stock", "stocks", "en");

const idsOf = (stocks: readonly Stock[]): ReadonlySet<string> => new Set(stocks.map(({ id }) => id));

const failedOf = (failures: readonly Failure<Stock>[]): ReadonlySet<string> => idsOf(failures.map(({ item }) => item));

const chunksOf = (stocks: readonly Stock[]): readonly (readonly Stock[])[] =>
  Array.from({ length: Math.ceil(stocks.length / MAX_IDS) }, (_, chunk) =>
    stocks.slice(chunk * MAX_IDS, (chunk + 1) * MAX_IDS),
  );
