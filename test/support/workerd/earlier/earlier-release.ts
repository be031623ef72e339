/**
 * Somebody whose thread was made by the release before versions: its rows in D1, in the session and in its runs, written as that
 * release wrote them, into tables that it made. Nothing has woken these objects since.
 */
import { env, runInDurableObject } from "cloudflare:test";
import { somebody } from "../somebody.ts";
import { EARLIER_RUN_SCHEMA, EARLIER_SESSION_SCHEMA } from "./earlier-schema.ts";
import { EARLIER_MODEL, type EarlierMessage, type EarlierTalk } from "./earlier-talk.ts";

/** When that release was at work. */
const THEN_MS = Date.UTC(2026, 10, 20, 12);

const GRANT = 7;

const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** What an earlier run was started with. */
type EarlierSpec = Readonly<Record<string, unknown>> & { readonly ownerEmail: string; readonly prompt: string };

/** An event as the log has it, without number and time. */
type Logged = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What an earlier run's object holds. */
type EarlierRun = {
  readonly prompt: string;
  readonly state: object;
  readonly attempts?: object;
  readonly events: (spec: EarlierSpec) => readonly Logged[];
  /** Model messages: closed ones with their content, an open one without. */
  readonly messages?: readonly { readonly id: string; readonly startSeq: number; readonly content?: unknown }[];
  readonly calls?: readonly { readonly call: object & { readonly toolCallId: string }; readonly state: object }[];
  readonly requests?: readonly { readonly requestId: string }[];
  readonly outbox?: readonly string[];
};

/** The state of a run that has had its turn. */
export const STARTED = { grant: GRANT, model: EARLIER_MODEL, startedAtMs: THEN_MS };

/** A run that waits for its turn. */
export const QUEUED = { status: "queued" };

/** A run that has ended; its hand-over may still be open. */
export const ended = (lastSeq: number) => ({
  ...{ status: "completed", stopReason: "end_turn", error: null, endedAtMs: THEN_MS, usage: USAGE, lastSeq },
  started: STARTED,
});

/** How a run's log begins that did not have to wait. */
export const opening = ({ runId, threadId, sessionId, prompt }: EarlierSpec): Logged[] => [
  {
    ...{ type: "run_start", runId, threadId, sessionId, resumed: true, model: EARLIER_MODEL },
    ...{ permissionMode: "allow-reads", workspaceDir: ".", attempt: 1 },
  },
  { type: "user_message", messageId: crypto.randomUUID(), text: prompt },
];

/** How that of a run begins that waits, and how far it is. */
export const waiting = ({ runId, threadId, prompt }: EarlierSpec): Logged[] => [
  { type: "run_queued", runId, threadId, position: 1 },
  { type: "user_message", messageId: crypto.randomUUID(), text: prompt },
];

/** A message that was begun. */
export const messageStart = (messageId: string): Logged => ({ type: "message_start", messageId, step: 1 });

/** A complete message. */
export const messageEnd = (messageId: string, text: string, stopReason: string): Logged => ({
  ...{ type: "message_end", messageId, text, stopReason, usage: USAGE },
});

/** The end of a run that went well. */
export const runEnd: Logged = {
  ...{
    type: "run_end",
    status: "completed",
    stopReason: "end_turn",
    usage: USAGE,
    steps: 1,
    durationMs: 5,
    error: null,
  },
};

/** A person with such a thread. Its session holds `turns`; `open` are the runs in its queue, the first one being the head. */
export const earlierThread = async (talk: EarlierTalk, turns: readonly (readonly EarlierMessage[])[]) => {
  const person = somebody();
  const threadId = "earlier/thread";
  const sessionId = crypto.randomUUID();
  const session = env.SESSIONS.getByName(sessionId);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO harness_sessions (id, owner_email, org_id, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
       VALUES (?, ?, NULL, ?, 'anthropic', '.', 'allow-reads', ?)`,
    ).bind(sessionId, person.email, threadId, THEN_MS),
    env.DB.prepare(
      "INSERT INTO threads (owner_email, thread_id, title, created_at_ms, updated_at_ms) VALUES (?, ?, 'Earlier', ?, ?)",
    ).bind(person.email, threadId, THEN_MS, THEN_MS),
  ]);
  await runInDurableObject(session, (_, { storage: { sql } }) => {
    sql.exec(EARLIER_SESSION_SCHEMA);
    sql.exec("INSERT INTO session (id, session_grant, is_grant_delivered, epoch) VALUES (1, ?, 1, 1)", GRANT);
    for (const messages of turns) {
      const runId = crypto.randomUUID();
      for (const [at, { role, content }] of messages.entries()) {
        for (const block of content) {
          sql.exec(
            "INSERT INTO block (epoch, run_id, model, message, role, body) VALUES (1, ?, ?, ?, ?, ?)",
            ...[runId, EARLIER_MODEL, at, role, JSON.stringify(block)],
          );
        }
      }
    }
  });
  /** Puts a run behind those of the session's queue. */
  const addRun = async (run: EarlierRun): Promise<string> => {
    const runId = crypto.randomUUID();
    const spec = {
      ...{ runId, threadId, sessionId, ownerEmail: person.email, orgId: null, harness: "anthropic" },
      ...{ workspaceDir: ".", permissionMode: "allow-reads", prompt: run.prompt, createdAtMs: THEN_MS },
    };
    await env.DB.prepare(
      `INSERT INTO runs (run_id, owner_email, org_id, thread_id, session_id, status, created_at_ms)
       VALUES (?, ?, NULL, ?, ?, 'queued', ?)`,
    )
      .bind(runId, person.email, threadId, sessionId, THEN_MS)
      .run();
    await runInDurableObject(session, (_, { storage: { sql } }) => {
      sql.exec("INSERT INTO queue (run_id) VALUES (?)", runId);
    });
    await runInDurableObject(env.RUNS.getByName(runId), (_, { storage: { sql } }) => writeRun(sql, spec, run));
    return runId;
  };
  return {
    person,
    model: talk.model,
    addRun,
    threadId,
    say: (text: string) => person.startTurn(threadId, talk.model.prompt(text)),
    path: (runId: string) => `/_framework/runs/${runId}/events`,
    /** The tables' version, and whether the session remembers how it was sent. */
    version: async () =>
      await runInDurableObject(session, (_, { storage: { sql } }) => [
        sql.exec("SELECT version FROM schema_version").one().version,
        sql.exec("SELECT count(*) AS n FROM facts").one().n,
      ]),
  };
};

const writeRun = (sql: SqlStorage, spec: EarlierSpec, run: EarlierRun): void => {
  sql.exec(EARLIER_RUN_SCHEMA);
  sql.exec(
    "INSERT INTO run (id, owner_email, spec, state, attempts) VALUES (1, ?, ?, ?, ?)",
    ...[spec.ownerEmail, JSON.stringify(spec), JSON.stringify(run.state)],
    JSON.stringify(run.attempts ?? { attempt: 1, streak: 1, checkpoints: 0 }),
  );
  const at = new Date(THEN_MS).toISOString();
  for (const [index, { type, ...fields }] of run.events(spec).entries()) {
    const seq = index + 1;
    const frame = `id: ${seq}\ndata: ${JSON.stringify({ type, seq, at, ...fields })}\n\n`;
    sql.exec("INSERT INTO transcript (last_seq, frames) VALUES (?, ?)", seq, new TextEncoder().encode(frame));
  }
  for (const [index, { id, startSeq, content }] of (run.messages ?? []).entries()) {
    sql.exec(
      "INSERT INTO message (step, message_id, start_seq, content, stop_reason, usage) VALUES (?, ?, ?, ?, ?, ?)",
      ...[index + 1, id, startSeq, content === undefined ? null : JSON.stringify(content)],
      ...(content === undefined
        ? [null, null]
        : [run.calls === undefined ? "end_turn" : "tool_use", JSON.stringify(USAGE)]),
    );
  }
  for (const [position, { call, state }] of (run.calls ?? []).entries()) {
    sql.exec(
      "INSERT INTO tool_call (tool_call_id, step, position, call, state, since_ms) VALUES (?, 1, ?, ?, ?, ?)",
      ...[call.toolCallId, position, JSON.stringify(call), JSON.stringify(state), THEN_MS],
    );
  }
  for (const request of run.requests ?? []) {
    sql.exec(
      "INSERT INTO permission_request (request_id, request) VALUES (?, ?)",
      request.requestId,
      JSON.stringify(request),
    );
  }
  for (const receiver of run.outbox ?? []) {
    sql.exec(
      "INSERT INTO outbox (receiver, payload, attempts, due_at_ms) VALUES (?, '', 4, ?)",
      receiver,
      THEN_MS + 1_000,
    );
  }
};
