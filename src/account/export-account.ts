/** All data of a person as one JSON text, written piece by piece: no more than a page of it is in memory. */
import { exportIdentity } from "../auth/export-identity.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { findNavigation } from "../db/navigation.ts";
import { type OwnedRow, ownedRows } from "../db/owner-rows.ts";
import type { Env } from "../env.ts";
import { exportFiles } from "./export-files.ts";
import { exportRun } from "./export-run.ts";
import { exportSession } from "./export-session.ts";
import { type JsonItem, jsonList } from "./json-list.ts";

/**
 * The text as a stream, made as fast as it is read. It breaks, leaving a text that is no JSON, when something cannot be
 * read. Files of a real directory are not in it: they are on the person's own machine.
 */
export const exportAccount = (env: Env, owner: OwnerEmail, now: Date): ReadableStream<Uint8Array> => {
  const text = pieces(env, owner, now);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await text.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        await text.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
};

async function* pieces(env: Env, owner: OwnerEmail, now: Date): AsyncGenerator<string> {
  const db = openDb(env.DB);
  const about = { exportedAt: now.toISOString(), email: owner, ...(await exportIdentity(db, owner)) };
  yield `${JSON.stringify(about).slice(0, -1)},"screen":${(await findNavigation(db, owner)) ?? "null"}`;
  const lists = {
    stocks: each(ownedRows(db, owner, "stocks"), plainRow),
    stockEvents: each(ownedRows(db, owner, "stock_events"), plainRow),
    threads: each(ownedRows(db, owner, "threads"), plainRow),
    sessions: each(ownedRows(db, owner, "harness_sessions"), (row) => exportSession(env, row)),
    runs: each(ownedRows(db, owner, "runs"), (row) => exportRun(env, owner, row)),
    files: exportFiles(env, owner),
  };
  for (const [name, items] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:`;
    yield* jsonList(items);
  }
  yield "}\n";
}

async function* each(rows: AsyncIterable<OwnedRow>, write: (row: OwnedRow) => JsonItem): AsyncGenerator<JsonItem> {
  for await (const row of rows) yield write(row);
}

/** Columns that hold JSON. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(["tags", "before", "after"]);

const plainRow = (row: OwnedRow): string => {
  const entries = Object.entries(row).map(([name, value]) =>
    JSON_COLUMNS.has(name) && typeof value === "string" ? [name, JSON.parse(value)] : [name, value],
  );
  return JSON.stringify(Object.fromEntries(entries));
};
