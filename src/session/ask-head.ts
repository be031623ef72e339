/** Asks the run at the head of the queue for its state, which also tells it that it may run. */
import { log } from "../contract/log.ts";
import { within } from "../contract/within.ts";
import type { Env } from "../env.ts";
import type { RunQueue } from "./run-queue.ts";
import { reservationUntilMs } from "./session-wire.ts";

/** How often the head is asked while somebody waits behind it, in ms. */
export const CHECK_INTERVAL_MS = 60_000;

/** How soon the head is asked once somebody waits behind it, in ms: it may have died before handing over. */
export const QUEUED_CHECK_MS = 1_000;

/** How soon a head that could not be reached is asked again. */
const UNREACHABLE_PAUSE_MS = 5_000;

/** A head that has been unreachable for this long is dropped (run.md, Ending and handing over). */
const MAX_UNREACHABLE_MS = 15 * 60_000;

/** How long the run may take to answer, in ms. A run that has ended hands over first, which takes a call to the session. */
const ASK_LIMIT_MS = 30_000;

/**
 * Asks the head, and removes it when it is over, lost or out of reach for too long. Returns in how many ms to look again, if at all.
 * `exists` is false once the session has been deleted.
 */
export const watchHead = async (
  env: Pick<Env, "RUNS">,
  queue: RunQueue,
  exists: () => boolean,
): Promise<number | undefined> => {
  const head = queue.head();
  if (head === undefined) return undefined;
  const untilMs = reservationUntilMs(head.runId);
  if (untilMs !== undefined && untilMs > Date.now()) return untilMs - Date.now();
  const answer = untilMs === undefined ? await askHead(env, head.runId, head.grant) : "ended";
  // Meanwhile the head may have finished, or the whole session may have been deleted.
  if (!exists()) return undefined;
  if (queue.head()?.grant === head.grant) {
    if (answer === "live") queue.markDelivered();
    else if (answer !== "unreachable") queue.remove(head.runId);
    else if (queue.markUnreachable(Date.now()) >= MAX_UNREACHABLE_MS) queue.remove(head.runId);
  }
  const next = queue.head();
  if (next === undefined) return undefined;
  if (next.grant !== head.grant) return 0;
  if (answer === "unreachable") return UNREACHABLE_PAUSE_MS;
  return queue.length > 1 ? CHECK_INTERVAL_MS : undefined;
};

/** The run's state. `unreachable`: it did not answer. */
const askHead = async (
  env: Pick<Env, "RUNS">,
  runId: string,
  grant: number,
): Promise<"live" | "ended" | "unknown" | "unreachable"> => {
  try {
    return await within(ASK_LIMIT_MS, async () => await env.RUNS.getByName(runId).granted(grant));
  } catch (error) {
    log.warn("The head run is unreachable.", { runId, error });
    return "unreachable";
  }
};
