/** How the list looks with a change that the server has not confirmed yet. */
import type { Stock } from "../../contract/stock.ts";
import type { Overlay } from "./stock-store.ts";

/** On or off the watchlist. */
export const watchedOverlay = (ids: ReadonlySet<string>, watched: boolean): Overlay => {
  const change = (stock: Stock): Stock =>
    stock.status === "holding" ? { ...stock, watched } : { ...stock, watched, status: statusOf(watched) };
  return (items) => items.map((stock) => (ids.has(stock.id) ? change(stock) : stock));
};

/** What is not held is watched, or neither. */
const statusOf = (watched: boolean) => (watched ? "watching" : "inactive");

/** Gone from the list. */
export const removedOverlay =
  (ids: ReadonlySet<string>): Overlay =>
  (items) =>
    items.filter(({ id }) => !ids.has(id));

/** Back in the list as it was. */
export const restoredOverlay =
  (stocks: readonly Stock[]): Overlay =>
  (items) => {
    const listed = new Set(items.map(({ id }) => id));
    const back = stocks.filter(({ id }) => !listed.has(id)).map((stock) => ({ ...stock, deletedAt: null }));
    return [...items, ...back];
  };
