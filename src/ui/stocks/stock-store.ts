/**
 * All of the person's stocks in this tab. The list is one cached answer of `list-stocks`; what the server, the agent or
 * another tab says later is applied to it as changes, so that one edit never costs a reload of 5,000 stocks.
 */
import type { QueryClient } from "@tanstack/preact-query";
import type { CurrencyTotal } from "../../contract/list-stocks.ts";
import type { Stock } from "../../contract/stock.ts";
import { readAction } from "../actions/call-action.ts";
import { createStore, type Store } from "../state/store.ts";
import { applyChange, type StockChange } from "./stock-change.ts";

/** Stocks a page: the most `list-stocks` gives, and what the page preloads. */
const PAGE_SIZE = 200;

/** Where the list is in the cache. Below `list-stocks`, so that refreshing that action refreshes it too. */
export const STOCK_LIST_KEY = ["list-stocks", "all"] as const;

/** `isComplete` is false while further pages are on their way. `totals` are over all stocks, as the server sums them. */
export type StockList = {
  readonly items: readonly Stock[];
  readonly totals: readonly CurrencyTotal[];
  readonly isComplete: boolean;
};

/** A change that is shown before the server has confirmed it. */
export type Overlay = (items: readonly Stock[]) => readonly Stock[];

/** Reads, keeps and changes the list. */
export class StockStore {
  /** Unconfirmed changes, oldest first. Taking one away is the rollback. */
  readonly overlays: Store<readonly Overlay[]> = createStore<readonly Overlay[]>([]);
  readonly #client: QueryClient;
  readonly #send: (change: StockChange) => void;
  /** Changes since the oldest read under way began: its pages may be older than they are. */
  readonly #journal: StockChange[] = [];
  #readsUnderWay = 0;

  /** `send` tells the person's other tabs. */
  constructor(client: QueryClient, send: (change: StockChange) => void) {
    this.#client = client;
    this.#send = send;
  }

  /**
   * Reads all pages. While there is nothing to show yet, the first one is shown as it comes, and then each time that the
   * list has doubled: showing every page of 5,000 stocks takes longer than reading them.
   */
  async readAll(signal: AbortSignal): Promise<StockList> {
    const start = this.#journal.length;
    const isFirst = this.#client.getQueryData(STOCK_LIST_KEY) === undefined;
    this.#readsUnderWay += 1;
    try {
      let items: readonly Stock[] = [];
      let cursor: string | undefined;
      let nextShown = 1;
      for (;;) {
        const page = await readAction("list-stocks", { limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }, signal);
        items = applyChange(items, { stocks: page.items, deleted: [] });
        const list = { items: this.#journal.slice(start).reduce(applyChange, items), totals: page.totals };
        if (page.nextCursor === null) return { ...list, isComplete: true };
        if (isFirst && items.length >= nextShown) {
          this.#client.setQueryData<StockList>(STOCK_LIST_KEY, { ...list, isComplete: false });
          nextShown = items.length * 2;
        }
        cursor = page.nextCursor;
      }
    } finally {
      this.#readsUnderWay -= 1;
      if (this.#readsUnderWay === 0) this.#journal.length = 0;
    }
  }

  /** Takes in what the server said of some stocks, here and in the person's other tabs. */
  apply(change: StockChange): void {
    this.receive(change);
    this.#send(change);
  }

  /** Takes in what another tab said. */
  receive(change: StockChange): void {
    if (this.#readsUnderWay > 0) this.#journal.push(change);
    this.#client.setQueryData<StockList>(
      STOCK_LIST_KEY,
      (list) => list && { ...list, items: applyChange(list.items, change) },
    );
    // Nobody sees them before. One listener, however often it is added.
    if (document.hidden) document.addEventListener("visibilitychange", this.#refreshTotals, { once: true });
    else void this.#refreshTotals();
  }

  /** Shows a change at once. Call the result when the server has answered, whatever it said. */
  show(overlay: Overlay): () => void {
    this.overlays.set([...this.overlays.get(), overlay]);
    return () => this.overlays.set(this.overlays.get().filter((other) => other !== overlay));
  }

  /** Sums are the server's: they are exact there and count hundredths into their currency. */
  readonly #refreshTotals = async (): Promise<void> => {
    try {
      const { totals } = await readAction("list-stocks", { limit: 1 });
      this.#client.setQueryData<StockList>(STOCK_LIST_KEY, (list) => list && { ...list, totals });
    } catch {
      // The old sums stay until the list is read again, which happens at the next look at the tab.
    }
  };
}
