/** All kinds of notices. Each `tell…` stores one in the outbox, once for each key, and sends at once what can be sent. */
import { chatPath } from "../contract/app-paths.ts";
import { DAY_MS } from "../contract/day.ts";
import type { OwnerEmail, RequestId, RunId, ThreadId } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { stockPath } from "../contract/screen/stock-path.ts";
import { openDb } from "../db/db.ts";
import { closeNotice, insertNotice, type NewNotice, runEndKey } from "../db/notices/outbox.ts";
import type { Env } from "../env.ts";
import { sendDueNotices } from "./send-due.ts";

/** How long the end of a run, or a schedule that is paused, is worth telling, in ms. */
const NEWS_MS = 2 * DAY_MS;

/** How long a target that was reached is worth telling, in ms: longer than quiet hours last. */
const TARGET_MS = DAY_MS;

/** A run and its chat. */
type ToldRun = { readonly ownerEmail: OwnerEmail; readonly threadId: ThreadId; readonly runId: RunId };

/** The address of the request's card: the app scrolls to what it names after `#`. */
const cardPath = (threadId: string, requestId: RequestId): string => `${chatPath(threadId)}#request-${requestId}`;

const requestKey = (requestId: RequestId): string => `permission:${requestId}`;

/** What a run can wait for, and how it is told. A plan is answered like a permission. */
const REQUESTS = {
  permission: { kind: "permission", title: "The agent needs your permission" },
  plan: { kind: "permission", title: "The agent has a plan for you" },
  question: { kind: "question", title: "The agent has a question for you" },
} as const;

/** Tells that a run waits for a person. Rejects if the notice could not be stored. */
export const tellRequest = (
  env: Env,
  run: ToldRun,
  asked: { readonly requestId: RequestId; readonly what: keyof typeof REQUESTS; readonly expiresAtMs: number },
): Promise<void> => {
  const { requestId, what, expiresAtMs } = asked;
  return tell(env, {
    ...{ ownerEmail: run.ownerEmail, dedupKey: requestKey(requestId), tag: `request-${requestId}` },
    ...{ ...REQUESTS[what], url: cardPath(run.threadId, requestId), expiresAtMs },
  });
};

/** Takes back the notice of a request that is closed: answered, expired, or of a run that was stopped. */
export const tellRequestClosed = async (env: Env, run: ToldRun, requestId: RequestId): Promise<void> => {
  const nowMs = Date.now();
  const closing: NewNotice = {
    ...{ ownerEmail: run.ownerEmail, dedupKey: `close:${requestId}`, kind: "close", tag: `request-${requestId}` },
    ...{ title: "No longer open", url: chatPath(run.threadId), expiresAtMs: nowMs + DAY_MS },
  };
  await closeNotice(openDb(env.DB), requestKey(requestId), closing, nowMs);
  await sendNow(env, run.ownerEmail, nowMs);
};

const RUN_ENDS = {
  completed: "The agent has finished",
  incomplete: "The agent stopped before it had finished",
  failed: "The agent failed",
  aborted: "The agent was stopped",
} as const;

/** Tells that a run that nobody watched has ended. */
export const tellRunEnd = (env: Env, run: ToldRun, status: keyof typeof RUN_ENDS): Promise<void> =>
  tell(env, {
    ...{ ownerEmail: run.ownerEmail, dedupKey: runEndKey(run.runId), kind: "run_end", tag: `run-${run.runId}` },
    ...{ title: RUN_ENDS[status], url: chatPath(run.threadId), expiresAtMs: Date.now() + NEWS_MS },
  });

/** The notice that a schedule could not start its run, or was paused. `event` distinguishes one such case from another. */
export const scheduleNotice = (
  {
    ownerEmail,
    threadId,
    scheduleId,
  }: { readonly ownerEmail: OwnerEmail; readonly threadId: string; readonly scheduleId: string },
  what: "failed" | "paused",
  { event, nowMs }: { readonly event: string; readonly nowMs: number },
): NewNotice => ({
  ...{
    ownerEmail,
    dedupKey: `schedule:${scheduleId}:${what}:${event}`,
    kind: "schedule",
    tag: `schedule-${scheduleId}`,
  },
  title: what === "failed" ? "A schedule could not start" : "A schedule was paused",
  ...{ url: chatPath(threadId), expiresAtMs: nowMs + NEWS_MS },
});

/** Tells that a schedule was paused because nobody answered what its runs asked. */
export const tellSchedulePaused = (env: Env, run: ToldRun & { readonly scheduleId: string }): Promise<void> =>
  tell(env, scheduleNotice(run, "paused", { event: run.runId, nowMs: Date.now() }));

/** The price of a stock has reached a target. `target` is its amount, which is part of the key and never shown. */
export type TargetHit = {
  readonly ownerEmail: OwnerEmail;
  readonly stockId: string;
  readonly symbol: string;
  readonly side: "low" | "high";
  readonly target: string;
  /** Counts the hits of this side that were told, from 1, so that each has a key of its own. */
  readonly nth: number;
};

/** The notice of a hit. Callers make no notice for a pending or stale price, or for a price that a split holds back. */
export const targetNotice = (
  { ownerEmail, stockId, symbol, side, target, nth }: TargetHit,
  nowMs: number,
): NewNotice => ({
  ...{ ownerEmail, dedupKey: `target:${stockId}:${side}:${target}:${nth}`, kind: "target" },
  tag: `target-${stockId}-${side}`,
  title: `${symbol} is ${side === "low" ? "at or below its buy" : "at or above its sell"} target`,
  ...{ url: stockPath(stockId), expiresAtMs: nowMs + TARGET_MS },
});

const tell = async (env: Env, notice: NewNotice): Promise<void> => {
  const nowMs = Date.now();
  await insertNotice(openDb(env.DB), notice, { nowMs }).run();
  await sendNow(env, notice.ownerEmail, nowMs);
};

/** Sends what is due. What fails here is sent by the cron. */
const sendNow = async (env: Env, owner: OwnerEmail, nowMs: number): Promise<void> => {
  await sendDueNotices(env, nowMs, { owner }).catch((error: unknown) => log.warn("Notices were not sent.", { error }));
};
