/** Says that writes to stocks failed, in the server's words and with what can be done about it. */
import type { Stock } from "../../contract/stock.ts";
import { ApiError, isTransient } from "../actions/api-error.ts";
import { showToast } from "../parts/toasts.tsx";
import type { Failure } from "./settle-each.ts";

/** The words of an error for a person. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the server refused because of what the list holds by now. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** Whether the stock is gone for good, or in the trash. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/**
 * One note for all failures; none without one. `undone` is what did not happen, such as `was not deleted`, for one and
 * for many. `retry` is offered for those that may go well next time.
 */
export const showFailures = (
  failures: readonly Failure<Stock>[],
  undone: readonly [one: string, many: string],
  retry: (stocks: readonly Stock[]) => void,
): void => {
  const [first] = failures;
  if (!first) return;
  const again = failures.filter(({ error }) => isTransient(error)).map(({ item }) => item);
  const who = failures.length === 1 ? `${first.item.symbol} ${undone[0]}` : `${failures.length} stocks ${undone[1]}`;
  showToast({
    text: `${who}. ${errorText(first.error)}`,
    tone: "bad",
    ...(again.length > 0 ? { action: { label: "Retry", run: () => retry(again) } } : {}),
  });
};

/** One note for the stocks that cannot leave the trash, because their symbol is taken again or the list is full. */
export const showKeptInTrash = (failures: readonly Failure<Stock>[]): void => {
  const [first] = failures;
  if (!first) return;
  const others = failures.length > 1 ? ` The same goes for ${failures.length - 1} more.` : "";
  const isTaken = errorText(first.error).includes("already in your list");
  const remedy = isTaken ? " Delete that one first, then restore this one from the trash." : "";
  showToast({
    text: `${first.item.symbol} stays in the trash. ${errorText(first.error)}${remedy}${others}`,
    tone: "bad",
  });
};
