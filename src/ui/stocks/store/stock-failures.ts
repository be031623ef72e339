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

/** Whether some writes may have succeeded although their answer was lost. */
const isUnsure = (failures: readonly Failure<Stock>[]): boolean =>
  failures.some(({ error }) => isTransient(error) && !(error instanceof ApiError && error.status === 429));

/** What failed, and why the first one did. `done` says what was to happen, such as `deleted`. Needs at least one failure. */
export const failureWords = (failures: readonly Failure<Stock>[], done: string): string => {
  const [first] = failures;
  const isOne = failures.length === 1;
  const not = isUnsure(failures) ? "may not have been" : isOne ? "was not" : "were not";
  return `${isOne ? first?.item.symbol : `${failures.length} stocks`} ${not} ${done}. ${errorText(first?.error)}`;
};

type AfterFailures = { readonly retry: (stocks: readonly Stock[]) => void; readonly refreshAll: () => void };

/**
 * Shows one toast for all failures, if there are any. `retry` is offered for those that may succeed next time; `refreshAll` is called if
 * writes may have succeeded all the same, so that the list shows what became of them.
 */
export const showFailures = (
  failures: readonly Failure<Stock>[],
  done: string,
  { retry, refreshAll }: AfterFailures,
): void => {
  if (failures.length === 0) return;
  if (isUnsure(failures)) refreshAll();
  const again = failures.filter(({ error }) => isTransient(error)).map(({ item }) => item);
  showToast({
    text: failureWords(failures, done),
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
