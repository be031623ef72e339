/**
 * All of the person's stocks in this tab. The list is one cached result of `list-stocks`. Later changes from the server, the
 * agent or another tab are applied to it, so that one edit never reloads 5,000 stocks.
 */
import type { QueryClient } from "@tanstack/preact-query";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { BaseTotal, CurrencyTotal } from "../../../contract/stocks/list-stocks.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { readAction } from "../../api/read-action.ts";
import { createStore, type Store } from "../../state/store.ts";
import { whenVisible } from "../../state/when-visible.ts";
import { applyChange, type ChangedStocks } from "./changed-stocks.ts";

/** Stocks per page: the most that `list-stocks` allows, and what the page preloads. */
const PAGE_SIZE = 200;

/** The list's key in the cache. It starts with `list-stocks`, so that refreshing that action refreshes it too. */
export const STOCK_LIST_KEY = ["list-stocks", "all"] as const;

/** The server's sums over a list: by currency, and of everything in the person's own currency. */
export type ListSums = { readonly totals: readonly CurrencyTotal[]; readonly base: BaseTotal };

/** The key of sums over a part of the list. */
export const SUMS_KEY = ["list-stocks", "sums"] as const;

/** `isComplete` is false while more pages are loading, or after one of them failed. The sums are over all stocks. */
export type StockList = ListSums & {
  readonly items: readonly Stock[];
  readonly isComplete: boolean;
  /** Set if the list could not be read again: when it was read, as a time of day, with the date if that was before today. */
  readonly asOf?: string;
  /** The same, in ms since 1970. */
  readonly asOfMs?: number;
};

/** A change that is shown before the server confirms it. */
export type Overlay = (items: readonly Stock[]) => readonly Stock[];

/** Reads, keeps and changes the list. */
export class StockStore {
  /** Unconfirmed changes, oldest first. Removing one rolls it back. */
  readonly overlays: Store<readonly Overlay[]> = createStore<readonly Overlay[]>([]);
  readonly client: QueryClient;
  readonly #send: (change: ChangedStocks) => void;
  /** For each read and write in progress, the changes received since it began. They are applied to its answer, which may be older. */
  readonly journals = new Set<ChangedStocks[]>();
  /** How often sums were asked for: an answer that a later request has overtaken is ignored. */
  #sumsAsked = 0;

  /** `send` passes changes to the person's other tabs. */
  constructor(client: QueryClient, send: (change: ChangedStocks) => void) {
    this.client = client;
    this.#send = send;
  }

  /**
   * Reads all pages. The first time, it shows the first page at once and then the list each time it has doubled: showing
   * every page of 5,000 stocks takes longer than reading them. What a failed read has left is never replaced by less.
   */
  async readAll(signal: AbortSignal): Promise<StockList> {
    const since: ChangedStocks[] = [];
    this.journals.add(since);
    try {
      let items: readonly Stock[] = [];
      let cursor: string | undefined;
      for (;;) {
        const page = await readAction("list-stocks", { limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }, signal);
        items = applyChange(items, { stocks: page.items, deleted: [] });
        const { totals, base } = page;
        const list = { items: since.reduce(applyChange, items), totals, base };
        if (page.nextCursor === null) {
          // The page's sums may be older than these changes.
          if (since.length > 0) whenVisible(this.#refreshTotals);
          return { ...list, isComplete: true };
        }
        // A complete list, though older, stays on the screen until this one is complete.
        const shown = this.client.getQueryData<StockList>(STOCK_LIST_KEY);
        if (!shown?.isComplete && items.length >= (shown?.items.length ?? 0) * 2) {
          this.client.setQueryData<StockList>(STOCK_LIST_KEY, { ...list, isComplete: false });
        }
        cursor = page.nextCursor;
      }
    } finally {
      this.journals.delete(since);
    }
  }

  /** Applies a confirmed change here and in the person's other tabs. */
  apply(change: ChangedStocks): void {
    this.receive(change);
    this.#send(change);
  }

  /** Applies a change in this tab only. */
  receive(change: ChangedStocks): void {
    for (const since of this.journals) since.push(change);
    this.#edit(({ items }) => ({ items: applyChange(items, change) }));
    // A hidden tab needs no totals.
    whenVisible(this.#refreshTotals);
  }

  /** Shows a change at once. Call the returned function when the server has responded, with success or not. */
  show(overlay: Overlay): () => void {
    this.overlays.set([...this.overlays.get(), overlay]);
    return () => this.overlays.set(this.overlays.get().filter((other) => other !== overlay));
  }

  /**
   * Keeps the list's age: when only a part of it is new, it is still read again when the tab is looked at. If its last read failed, it is
   * read again at once, because the edit drops that error.
   */
  #edit(edit: (list: StockList) => Partial<StockList>): void {
    const { dataUpdatedAt: updatedAt = 0, error } = this.client.getQueryState(STOCK_LIST_KEY) ?? {};
    this.client.setQueryData<StockList>(STOCK_LIST_KEY, (list) => list && { ...list, ...edit(list) }, { updatedAt });
    if (error) whenVisible(() => void this.client.invalidateQueries({ queryKey: STOCK_LIST_KEY }));
  }

  /** The server adds up, because its sums are exact and count subunits (pence) as part of their currency. */
  readonly #refreshTotals = async (): Promise<void> => {
    void this.client.invalidateQueries({ queryKey: SUMS_KEY });
    void this.client.invalidateQueries({ queryKey: ["value-history"] });
    this.#sumsAsked += 1;
    const asked = this.#sumsAsked;
    try {
      const { totals, base } = await readAction("list-stocks", { limit: 1 });
      if (asked === this.#sumsAsked) this.#edit(() => ({ totals, base }));
    } catch {
      // The old sums stay until the list is read again, when the tab next gets the focus.
    }
  };
}

export const StockStoreContext = createContext<StockStore | undefined>(undefined);

/** The tab's stock store. @throws {Error} when it is used outside of the app. */
export const useStockStore = (): StockStore => {
  const store = useContext(StockStoreContext);
  if (store === undefined) throw new Error("useStockStore is used outside of the app.");
  return store;
};
