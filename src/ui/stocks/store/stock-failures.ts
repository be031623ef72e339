/** Shows failed writes to stocks as toasts, in the server's words and with what can be done about it. */
import type { Stock } from "../../../contract/stocks/stock.ts";
import { ApiError, isTransient } from "../../api/api-error.ts";
import { showToast } from "../../parts/toasts.tsx";
import type { Failure } from "./settle-each.ts";

/** The message of an error, for people. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the server refused because the list has changed. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

const isSymbolTaken = (error: unknown): boolean => error instanceof ApiError && error.code === "symbol_taken";

/**
 * Shows one toast for all failures, if there are any. `failedTo` says what did not happen, such as `was not deleted`, for one
 * stock and for several. `retry` is offered for those that may succeed next time.
 */
export const showFailures = (
  failures: readonly Failure<Stock>[],
  failedTo: readonly [one: string, many: string],
  retry: (stocks: readonly Stock[]) => void,
): void => {
  const [first] = failures;
  if (!first) return;
  const again = failures.filter(({ error }) => isTransient(error)).map(({ item }) => item);
  const who =
    failures.length === 1 ? `${first.item.symbol} ${failedTo[0]}` : `${failures.length} stocks ${failedTo[1]}`;
  showToast({
    text: `${who}. ${errorText(first.error)}`,
    tone: "bad",
    ...(again.length > 0 ? { action: { label: "Try again", run: () => retry(again) } } : {}),
  });
};

/** Shows one toast for stocks that cannot leave the trash, because their symbol is in the list again or the list is full. */
export const showKeptInTrash = (failures: readonly Failure<Stock>[]): void => {
  const [first] = failures;
  if (!first) return;
  const others = failures.length > 1 ? ` The same goes for ${failures.length - 1} more.` : "";
  const remedy = isSymbolTaken(first.error) ? " Delete that one first, then restore this one from the trash." : "";
  showToast({
    text: `${first.item.symbol} stays in the trash. ${errorText(first.error)}${remedy}${others}`,
    tone: "bad",
  });
};
