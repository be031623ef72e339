/** All data of a person as one JSON text, written piece by piece, so that at most a page of it is in memory. */
import { exportIdentity, mayGoOn } from "../auth/sign-in-rows.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { openDb } from "../db/db.ts";
import { findNavigation } from "../db/navigation.ts";
import { findRecipient } from "../db/notices/recipients.ts";
import { type OwnedRow, ownedRows } from "../db/owner-rows.ts";
import { findSettings } from "../db/prices/person-settings.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { workspaceObjectOf } from "../workspace/durable/durable-workspace.ts";
import { exportRun, exportSession, type JsonItem, jsonList } from "./export-run.ts";

/** Each file as JSON: `{path, text}`, or `{path, base64}` if it is not UTF-8. One is in memory at a time. */
async function* exportFiles(env: Env, owner: OwnerEmail): AsyncGenerator<string> {
  const object = () => workspaceObjectOf(env.WORKSPACES, owner);
  let [paths, after] = [[""], ""];
  while (paths.length > 0) {
    paths = await reach(async () => await (await object()).pathsAfter(after));
    for (const path of paths) {
      const bytes = await reach(async () => await (await object()).wholeFile(path));
      if (bytes !== null) yield JSON.stringify({ path, ...contentOf(bytes) });
      after = path;
    }
  }
}

const contentOf = (bytes: Uint8Array): { readonly text: string } | { readonly base64: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // Not UTF-8.
    return { base64: base64Of(bytes) };
  }
};

/** Bytes turned into characters at once: more would be too many arguments for one call. */
const SLICE_BYTES = 32_768;

const base64Of = (bytes: Uint8Array): string => {
  let characters = "";
  for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES) {
    characters += String.fromCharCode(...bytes.subarray(start, start + SLICE_BYTES));
  }
  return btoa(characters);
};

/** How old the last check may be when a piece is handed out, in ms. Clients may read as slowly as they like. */
const MAX_CHECK_AGE_MS = 60_000;

/**
 * The text as a stream, made as fast as it is read. When something cannot be read, or the account is deleted or the log-in revoked
 * meanwhile, the stream breaks, and what was sent is not valid JSON. Files of a real directory are not included: they are on the person's
 * own machine.
 */
export const exportAccount = (env: Env, owner: OwnerEmail, now: Date, loginId?: string): ReadableStream<Uint8Array> => {
  const text = pieces(env, owner, now, loginId ?? null);
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

async function* pieces(env: Env, owner: OwnerEmail, now: Date, loginId: string | null): AsyncGenerator<string> {
  const db = openDb(env.DB);
  const about = { exportedAt: now.toISOString(), email: owner, ...(await exportIdentity(db, owner)) };
  const userId = about.account?.id ?? null;
  let checkedAtMs = now.getTime();
  const check = async (): Promise<void> => {
    checkedAtMs = Date.now();
    if (!(await mayGoOn(db, owner, { userId, loginId }, checkedAtMs)))
      throw new Error("The account is being deleted, or the log-in has ended.");
  };
  const screen = (await findNavigation(db, owner)) ?? "null";
  const notices = (await findRecipient(db, owner, undefined)).settings ?? "null";
  const { baseCurrency = null, quotesSource = null } = (await findSettings(db, owner)) ?? {};
  const settings = JSON.stringify({ baseCurrency, quotesSource });
  yield `${JSON.stringify(about).slice(0, -1)},"screen":${screen},"noticeSettings":${notices},"settings":${settings}`;
  const lists = {
    stocks: each(ownedRows(db, owner, "stocks"), plainRow),
    stockEvents: each(ownedRows(db, owner, "stock_events"), plainRow),
    threads: each(ownedRows(db, owner, "threads"), plainRow),
    sessions: each(ownedRows(db, owner, "harness_sessions"), (row) => exportSession(env, row)),
    runs: each(ownedRows(db, owner, "runs"), (row) => exportRun(env, owner, row)),
    runMarks: each(ownedRows(db, owner, "run_marks"), plainRow),
    undoneRuns: each(ownedRows(db, owner, "undone_runs"), plainRow),
    schedules: each(ownedRows(db, owner, "schedules"), plainRow),
    notices: each(ownedRows(db, owner, "notices"), plainRow),
    pushDevices: each(ownedRows(db, owner, "push_devices"), withoutKeys),
    files: exportFiles(env, owner),
  };
  for (const [name, items] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:`;
    for await (const piece of jsonList(items)) {
      if (Date.now() - checkedAtMs >= MAX_CHECK_AGE_MS) await check();
      yield piece;
    }
    // Conversations and runs that have been deleted read as if they were empty.
    await check();
  }
  yield "}\n";
}

async function* each(rows: AsyncIterable<OwnedRow>, write: (row: OwnedRow) => JsonItem): AsyncGenerator<JsonItem> {
  for await (const row of rows) yield write(row);
}

/** Leaves out the keys of a device, with which anybody could push to it. */
const withoutKeys = ({ endpoint: _, p256dh: __, auth: ___, ...row }: OwnedRow): string => plainRow(row);

/** Columns that hold JSON: lists and objects. `quote_mark` may be a word instead. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...["tags", "tag_keys", "instrument", "pending_split", "last_alert", "alert_marks", "quote_mark"],
  ...["before", "after", "devices"],
]);

const plainRow = (row: OwnedRow): string => {
  const entries = Object.entries(row).map(([name, value]) =>
    JSON_COLUMNS.has(name) && typeof value === "string" && /^[[{]/.test(value)
      ? [name, parseJson(value)]
      : [name, value],
  );
  return JSON.stringify(Object.fromEntries(entries));
};
