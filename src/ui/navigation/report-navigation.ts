/** Reports to the server where the person is, so that the agent can answer "what am I looking at". */
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { actionPath } from "../../contract/action-path.ts";
import { requestJson } from "../api/request-json.ts";
import { lateCode } from "../parts/lazy.ts";
import { selection } from "../state/selection.ts";
import { useStore } from "../state/store.ts";

/** Of changes closer together than this, in ms, only the last is reported. */
const QUIET_MS = 400;

/** A report that takes longer than this, in ms, counts as lost, so that later ones do not wait forever. */
const TIMEOUT_MS = 5_000;

/** Longest that a turn waits for a report, in ms. The agent may then see an older screen, which is better than a message that hangs. */
const MAX_WAIT_MS = 1_000;

const screenState = lateCode(async () => (await import("./screen-state.ts")).screenState);

/** Path and query of an address, and the selected stocks. */
type Seen = readonly [path: string, search: string, selectedIds: readonly string[]];

/** The state to report. */
let wanted: Seen | undefined;

/** The state that the server certainly has; empty when that is uncertain. */
let reported = "";

let timer: ReturnType<typeof setTimeout> | undefined;

let inProgress: Promise<void> = Promise.resolve();

/** Reports a state soon, unless the server has it already. */
const reportNavigation = (seen: Seen): void => {
  wanted = seen;
  clearTimeout(timer);
  timer = setTimeout(reportInTurn, QUIET_MS);
};

/**
 * Reports the state now, even if it was reported before: another tab or device may have reported its own since. Resolves
 * when the report has ended, even without success, or after a second; never rejects. Await it before starting a turn.
 */
export const flushNavigation = async (): Promise<void> => {
  clearTimeout(timer);
  reported = "";
  await Promise.race([reportInTurn(), new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
};

/** One at a time: parallel requests could arrive in the wrong order. */
const reportInTurn = (): Promise<void> => {
  inProgress = inProgress.then(report);
  return inProgress;
};

const report = async (): Promise<void> => {
  const { code: stateOf } = await screenState.fetch();
  if (stateOf === undefined || wanted === undefined) return;
  const body = stateOf(...wanted);
  const text = JSON.stringify(body);
  if (text === reported) return;
  // Until the response, the server may have this state or the previous one, so returning to that must be reported too.
  reported = "";
  try {
    await requestJson(actionPath("set-navigation"), { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    reported = text;
  } catch {
    // The state is only a hint for the agent. The next change or turn reports it again.
  }
};

/** Reports every change of the place or the selection. Use it once, in the shell. */
export const useReportNavigation = (): void => {
  const { url, path } = useLocation();
  const selectedIds = useStore(selection);
  useEffect(() => {
    reportNavigation([path, location.search, selectedIds]);
  }, [url, path, selectedIds]);
};
