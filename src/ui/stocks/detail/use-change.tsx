/** A change to the stock that is shown, by a press of one button. */
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { ApiError, isUnreachable } from "../../api/api-error.ts";
import { showToast } from "../../parts/toasts.tsx";
import { withKey } from "../../state/unsent-keys.ts";
import { changeProblem } from "../form/form-refusal.ts";
import { isConflict } from "../store/stock-failures.ts";
import { useStockActions } from "../store/use-stock-actions.ts";

/** How long a failure has to be shown in its place to count as read, in ms: reading its line takes about two seconds. */
const READ_MS = 2_000;

/**
 * Reports a failed change in a toast that names the stock, if the change's place on the screen is gone, or goes before anybody can read it.
 */
export const useLateFailures = ({ symbol }: Stock) => {
  const isGone = useRef(false);
  const shown = useRef<{ readonly error: unknown; readonly at: number }>();
  const tell = (error: unknown): void => {
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    const what = `${symbol} ${isRefused ? "was not" : "may not have been"} changed.`;
    showToast({ text: `${what} ${changeProblem(error)}`, tone: "bad" });
  };
  useEffect(
    () => () => {
      isGone.current = true;
      if (shown.current && performance.now() - shown.current.at < READ_MS) tell(shown.current.error);
    },
    [],
  );
  return {
    /** Returns whether a toast told of the failure. If not, the caller shows it in its place. */
    tellIfGone: (error: unknown): boolean => {
      if (isGone.current) tell(error);
      else shown.current = { error, at: performance.now() };
      return isGone.current;
    },
    /** Forgets the last failure, before the next try. */
    forget: (): void => {
      shown.current = undefined;
    },
  };
};

/**
 * One change at a time. `problem` says why the last one failed; after a conflict the stock has been read again. `isLost`: the change may
 * have been made all the same. Repeating it with the same `version` does not make it twice.
 */
export const useChange = (stock: Stock) => {
  const client = useQueryClient();
  const actions = useStockActions();
  const lateFailures = useLateFailures(stock);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isLost, setLost] = useState(false);
  const readAgain = () =>
    Promise.all(["list-stocks", "get-stock"].map((name) => client.invalidateQueries({ queryKey: [name] })));
  const change = async (edit: Omit<Parameters<typeof actions.update>[0], "id">): Promise<Stock | undefined> => {
    if (isBusy) return undefined;
    setBusy(true);
    setProblem(undefined);
    lateFailures.forget();
    try {
      const input = { id: stock.id, ...edit };
      // With a version, a retry of a change whose answer was lost would be refused as somebody else's change. The key prevents that.
      const changed = await (edit.version === undefined
        ? actions.update(input)
        : withKey(JSON.stringify(input), (idempotencyKey) => actions.update({ ...input, idempotencyKey })));
      setLost(false);
      // The source's price is copied when the list is read.
      await readAgain();
      return changed;
    } catch (error) {
      if (!lateFailures.tellIfGone(error)) setProblem(changeProblem(error));
      setLost(isUnreachable(error));
      if (isConflict(error)) await readAgain();
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, isLost, change };
};

/** Why a change failed. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
