/** Waits for a running call, even while the run is being stopped: an effect under way is awaited, not abandoned. */
import { log } from "../contract/log.ts";
import { TimedOut, untilAborted } from "../contract/within.ts";
import type { PreparedCall, ToolResult } from "./tools/tool.ts";

/** How long a stopped run waits for an effect that is already under way, in ms (run.md, Aborting). */
const EFFECT_GRACE_MS = 5_000;

/**
 * How long a stopped run waits to learn what became of a call that a crash interrupted, in ms: ending a lost command takes up
 * to 6 s (`tools/run-shell.ts`), and after 10 s the run's end is forced.
 */
const RECOVERY_GRACE_MS = 8_000;

/**
 * How long a stopped run waits for what is done before a step, in ms: the bill of a summary that breaks off comes a moment later, but
 * the person is waiting for the end.
 */
const PREPARATION_GRACE_MS = 1_000;

/**
 * The call's result. After `signal` aborts: `aborted` at once for a read, which has no effect; for other kinds the true result if it
 * arrives within 5 s, otherwise `unknown`. A call that throws has hit a bug: a read has failed, and for other kinds the effect is unknown.
 */
export const awaitEffect = async (
  running: ReturnType<PreparedCall["run"]>,
  isRead: boolean,
  signal: AbortSignal,
): Promise<ToolResult | "no_effect" | "aborted" | "unknown"> => {
  const settled = running.catch((error: unknown): ToolResult | "unknown" => {
    if (error instanceof TimedOut) log.warn("A tool did not answer.", { error });
    else log.error("A tool failed unexpectedly.", { error });
    return isRead ? { output: "The tool failed unexpectedly. Try another way.", isError: true } : "unknown";
  });
  return isRead ? await untilAborted(signal, settled) : await awaitThrough(settled, EFFECT_GRACE_MS, signal);
};

/** What became of a call that a crash interrupted; `unknown` when a stopped run cannot find out in time. */
export const awaitRecovery = <Found>(finding: Promise<Found>, signal: AbortSignal): Promise<Found | "unknown"> =>
  awaitThrough(finding, RECOVERY_GRACE_MS, signal);

/** What comes of preparing a step; `unknown` when a stopped run cannot wait for it. */
export const awaitPreparation = <Prepared>(
  preparing: Promise<Prepared>,
  signal: AbortSignal,
): Promise<Prepared | "unknown"> => awaitThrough(preparing, PREPARATION_GRACE_MS, signal);

/** Waits for the value, and for at most this long after `signal` aborts. */
const awaitThrough = async <Value>(
  work: Promise<Value>,
  graceMs: number,
  signal: AbortSignal,
): Promise<Value | "unknown"> => {
  const tooLate = Promise.withResolvers<"unknown">();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const onAbort = () => {
    timer = setTimeout(() => tooLate.resolve("unknown"), graceMs);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, tooLate.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
};
