/** Waits for a running call, also while the run is being stopped: an effect under way is awaited, not disowned. */
import { errorText } from "../contract/error-text.ts";
import type { PreparedCall, ToolResult } from "./tools/tool.ts";
import { untilAborted } from "./until-aborted.ts";

/** How long a stopped run waits for an effect that is already under way, in ms (RUN.md, Aborting). */
const EFFECT_GRACE_MS = 5_000;

/**
 * How long it waits to hear what became of a call that a crash left started, in ms: what ends a lost command takes up to 6 s
 * (`tools/run-shell.ts`), and after 10 s the run's end is forced.
 */
const RECOVERY_GRACE_MS = 8_000;

/**
 * The call's result. After `signal` aborts: `aborted` at once for a read, which has no effect; for the rest the true
 * result if it comes within 5 s, else `unknown`. A call that throws has hit a bug: a read has failed, of the rest nobody
 * knows.
 */
export const awaitEffect = async (
  running: ReturnType<PreparedCall["run"]>,
  isRead: boolean,
  signal: AbortSignal,
): Promise<ToolResult | "no_effect" | "aborted" | "unknown"> => {
  const settled = running.catch((error: unknown): ToolResult | "unknown" => {
    console.error(JSON.stringify({ level: "error", message: "A tool broke.", error: errorText(error) }));
    return isRead ? { output: "The tool broke. Try another way.", isError: true } : "unknown";
  });
  return isRead ? await untilAborted(signal, settled) : await awaitThrough(settled, EFFECT_GRACE_MS, signal);
};

/** What became of a call that a crash left started; `unknown` when that cannot be found out in time once the run is stopped. */
export const awaitRecovery = <Found>(finding: Promise<Found>, signal: AbortSignal): Promise<Found | "unknown"> =>
  awaitThrough(finding, RECOVERY_GRACE_MS, signal);

/** Goes on waiting for so long after `signal` aborts. */
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
