/**
 * Tables of turns: threads, runs and their costs, the day's spending, harness sessions, idempotency keys, and facts about models.
 * Rows here are an index for lists, look-ups and admission; the truth about a run is in its `RunObject`, about a conversation in
 * its `SessionObject`.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** One row per owner, thread and harness. Because of the unique index, two simultaneous first turns share one session. */
export const harnessSessions = sqliteTable(
  "harness_sessions",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").notNull(),
    orgId: text("org_id"),
    threadId: text("thread_id").notNull(),
    harness: text("harness").notNull(),
    /** As of the start that made the row, or of the last start by a release before decision 0221. */
    workspaceDir: text("workspace_dir").notNull(),
    permissionMode: text("permission_mode").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [uniqueIndex("harness_sessions_thread").on(table.ownerEmail, table.threadId, table.harness)],
);

/** `thread_id` of runs whose thread was deleted while branches of it list them. No client can choose that id. */
export const NO_THREAD = "";

/** A person's threads. `title` is at first the beginning of the first prompt. */
export const threads = sqliteTable(
  "threads",
  {
    ownerEmail: text("owner_email").notNull(),
    threadId: text("thread_id").notNull(),
    title: text("title").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    updatedAtMs: integer("updated_at_ms").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerEmail, table.threadId] }),
    index("threads_newest").on(table.ownerEmail, table.updatedAtMs, table.threadId),
  ],
);

/** A run's index row. `finishedAtMs` is null while D1 considers the run live; only the run's object knows whether it is. */
export const runs = sqliteTable(
  "runs",
  {
    runId: text("run_id").primaryKey(),
    ownerEmail: text("owner_email").notNull(),
    orgId: text("org_id"),
    threadId: text("thread_id").notNull(),
    sessionId: text("session_id").notNull(),
    status: text("status").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    finishedAtMs: integer("finished_at_ms"),
  },
  (table) => [
    index("runs_thread").on(table.ownerEmail, table.threadId, table.createdAtMs, table.runId),
    index("runs_live").on(table.ownerEmail, table.threadId).where(sql`${table.finishedAtMs} IS NULL`),
  ],
);

/**
 * What a run cost, once it is over and its price is known, and what making its thread's title cost (`TITLE_OF`). A separate table, so that
 * it can be created where it is missing.
 */
export const runCosts = sqliteTable(
  "run_costs",
  {
    ownerEmail: text("owner_email").notNull(),
    threadId: text("thread_id").notNull(),
    runId: text("run_id").notNull(),
    costPicoUsd: integer("cost_pico_usd").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerEmail, table.threadId, table.runId] })],
);

/**
 * What sets a run apart in a thread's list: it was replaced by a later turn, or belongs to a chat that this thread was branched
 * from. This is a copy: the truth is in the conversation's session. `id` is `<run_id>:<thread_id>`.
 */
export const runMarks = sqliteTable(
  "run_marks",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").notNull(),
    threadId: text("thread_id").notNull(),
    runId: text("run_id").notNull(),
    /** The session of this thread that has a copy of the run's turn; null for a run of its own. */
    inheritedBy: text("inherited_by"),
    isReplaced: integer("is_replaced").notNull(),
  },
  (table) => [index("run_marks_thread").on(table.ownerEmail, table.threadId, table.runId)],
);

/**
 * Runs that a person has undone, in whole or in part: the next turn of each chat that lists one is told. The run's object knows what of it
 * was undone.
 */
export const undoneRuns = sqliteTable(
  "undone_runs",
  {
    runId: text("run_id").primaryKey(),
    ownerEmail: text("owner_email").notNull(),
    undoneAtMs: integer("undone_at_ms").notNull(),
  },
  (table) => [index("undone_runs_newest").on(table.ownerEmail, table.undoneAtMs)],
);

/**
 * What was spent in a day, for its budgets: a row for everybody (no owner, no id), one for each owner (no id), and one for each
 * `DayCost` that these two include. Owners are identified by `budgetHash`.
 */
export const dayCosts = sqliteTable(
  "day_costs",
  {
    day: text("day").notNull(),
    ownerHash: text("owner_hash").notNull(),
    id: text("id").notNull(),
    costPicoUsd: integer("cost_pico_usd").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.ownerHash, table.id] })],
);

/** What the provider's Models API says about its models, as JSON. Shared by all owners. */
export const modelFacts = sqliteTable("model_facts", {
  id: text("id").primaryKey(),
  facts: text("facts").notNull(),
  fetchedAtMs: integer("fetched_at_ms").notNull(),
});

/**
 * Sessions that a harness keeps on a person's own machine, and whose thread is deleted: they are still to be deleted there. Ids
 * are random; nothing says whose they were.
 */
export const hostDeletions = sqliteTable("host_deletions", {
  sessionId: text("session_id").primaryKey(),
  notedAtMs: integer("noted_at_ms").notNull(),
  /** When to try next. */
  dueAtMs: integer("due_at_ms").notNull(),
});

/**
 * Sessions of threads that are being deleted, so that a deletion that is cut off goes on with the same ones. A new chat may have been begun
 * under the thread's id since, with sessions of its own.
 */
export const threadDeletions = sqliteTable("thread_deletions", {
  sessionId: text("session_id").primaryKey(),
  ownerEmail: text("owner_email").notNull(),
  threadId: text("thread_id").notNull(),
  requestedAtMs: integer("requested_at_ms").notNull(),
});

/**
 * Answers up to this size, in bytes, are not counted here: those of turns, which are few, and of most writes, which count as changes of the
 * day (`db/day-changes`).
 */
export const SHORT_ANSWER_BYTES = 2_000;

/** Answers kept for 24 h under the key their request had. `scope` separates turns, actions and agent calls. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    ownerEmail: text("owner_email").notNull(),
    scope: text("scope", { enum: ["turn", "action", "agent"] }).notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    /** The first answer, as JSON. */
    response: text("response").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerEmail, table.scope, table.key] }),
    index("idempotency_keys_age").on(table.createdAtMs),
    // Lets an owner's answers be counted (`isFiledTooMuch`) without reading the answers.
    index("idempotency_keys_size")
      .on(table.ownerEmail, sql`octet_length(${table.response})`)
      .where(sql`octet_length(${table.response}) > ${sql.raw(String(SHORT_ANSWER_BYTES))}`),
  ],
);
