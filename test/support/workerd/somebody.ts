/** A new person, with the routes of turns, runs and threads as a client uses them. */
import { onTestFinished } from "vitest";
import { z } from "zod";
import { type Answer, answerOf } from "./answer.ts";
import { runClient } from "./run-client.ts";

const ThreadIds = z.object({ threads: z.array(z.object({ threadId: z.string() })) });

/**
 * A person without threads; every call makes another one. Called inside a test: what the person started is deleted when
 * the test is over, since a run whose model hangs would outlive the file. A test that runs beside others gives its own `later`.
 */
export const somebody = (later: (cleanUp: () => Promise<void>) => void = onTestFinished) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const client = runClient(email);
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    answerOf(await client.request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
  const threadPath = (threadId: string) => `/_framework/threads/${encodeURIComponent(threadId)}`;
  later(async () => {
    const { threads } = ThreadIds.parse((await ask("GET", "/_framework/threads")).body);
    await Promise.all(threads.map(({ threadId }) => ask("DELETE", threadPath(threadId))));
  });
  return {
    ...client,
    email,
    ask,
    /** `POST /api/agent/turn`, whether accepted or refused. */
    postTurn: async (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      answerOf(await client.post("/api/agent/turn", body, headers)),
    abort: (runId: string) => ask("POST", `/_framework/runs/${runId}/abort`),
    decide: (runId: string, requestId: string, answer: { decision: string; message?: string }) =>
      ask("POST", `/_framework/runs/${runId}/permissions/${requestId}`, answer),
    threadPath,
  };
};

export type Somebody = ReturnType<typeof somebody>;
