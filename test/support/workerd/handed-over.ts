/**
 * Waits until a turn is with its session, and others know what the run tells them. A run's end is told before that, and a turn that comes
 * earlier is queued behind it.
 */
import { env, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { ReceivedEvent } from "./run-client.ts";

/** Longest wait: below a test's own time-out. */
const WAIT = { timeout: 20_000 };

/** Resolves when nothing waits in the session any more. */
export const emptyQueue = (sessionId: string): Promise<boolean> =>
  vi.waitUntil(
    () =>
      runInDurableObject(
        env.SESSIONS.getByName(sessionId),
        (_, { storage }) => [...storage.sql.exec("SELECT 1 FROM queue")].length === 0,
      ),
    WAIT,
  );

/** Resolves when D1 has a run's end, of which it is told after the session. */
export const endListed = async (runId: string): Promise<void> => {
  const row = env.DB.prepare("SELECT 1 FROM runs WHERE run_id = ? AND finished_at_ms IS NOT NULL").bind(runId);
  await vi.waitUntil(async () => (await row.first()) !== null, WAIT);
};

/** Resolves when a run has told all notices that are due by now: each row goes once its pushes and mails are sent. */
export const noticesTold = (runId: string): Promise<boolean> =>
  vi.waitUntil(
    () =>
      runInDurableObject(env.RUNS.getByName(runId), (_, { storage: { sql } }) => {
        const [table] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'outbox'");
        const due = "SELECT 1 FROM outbox WHERE receiver GLOB 'notice:*' AND due_at_ms <= ?";
        return table === undefined || [...sql.exec(due, Date.now())].length === 0;
      }),
    WAIT,
  );

/** All events of a run that has ended, once its session has the turn. One that never started leaves nothing there. */
export const handedOver = async (events: readonly ReceivedEvent[]): Promise<readonly ReceivedEvent[]> => {
  const start = events.find((event) => event.type === "run_start");
  if (start?.type === "run_start") await emptyQueue(start.sessionId);
  return events;
};
