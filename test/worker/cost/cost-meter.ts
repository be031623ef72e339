/**
 * Counts what Cloudflare bills for, where it is counted: rows at D1's own wire, rows at the cursors of the objects'
 * SQLite, calls where they reach an object. What other tests have left running is not of the ids asked for.
 */
import { env, runInDurableObject } from "cloudflare:test";
import { z } from "zod";
import { RunObject } from "../../../src/run/run-object.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { aroundMethod } from "../../support/around-method.ts";

/** Rows, each read or written one billed once. */
type Rows = { readonly rowsRead: number; readonly rowsWritten: number };

/** Calls to D1, the statements in them, and their rows. */
type D1Cost = Rows & { readonly calls: number; readonly statements: number };

/** Rows of an object's storage, with alarms counted as written rows; and requests to it, including alarms that rang. */
type ObjectCost = Rows & { readonly requests: number };

/** Methods that are called over the wire, and alarms. Others are an object's own. */
const REQUESTS = [
  [
    RunObject.prototype,
    ["start", "granted", "status", "view", "prompt", "request", "answer", "abort", "purge", "fetch", "alarm"],
  ],
  [SessionObject.prototype, ["enqueue", "load", "startEpoch", "finish", "listRules", "addRule", "purge", "alarm"]],
] as const;

const Result = z.object({ meta: z.object({ rows_read: z.number(), rows_written: z.number() }) });
const Results = z.union([z.array(Result), Result.transform((one) => [one])]);

/** D1's calls with their text, which contain the ids of those who caused them. */
const countD1 = () => {
  const calls: { readonly text: string; readonly statements: number; readonly answer: Promise<Rows> }[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (_, [, init], call) => {
    const { body } = z.object({ body: z.string() }).parse(init);
    const asked: unknown = JSON.parse(body);
    const response = call();
    if (!(response instanceof Promise)) throw new Error("D1 answers later.");
    const answer = response.then(async (given: unknown) => {
      if (!(given instanceof Response)) throw new Error("D1 answers with a response.");
      const results = Results.parse(await given.clone().json());
      return addRows(results.map(({ meta }) => ({ rowsRead: meta.rows_read, rowsWritten: meta.rows_written })));
    });
    // Those of others are not awaited, and may be refused.
    answer.catch(() => undefined);
    calls.push({ text: body, statements: Array.isArray(asked) ? asked.length : 1, answer });
    return response;
  });
  return async (ids: readonly string[]): Promise<D1Cost> => {
    const own = calls.filter(({ text }) => ids.some((id) => text.includes(id)));
    const rows = await Promise.all(own.map(({ answer }) => answer));
    const statements = own.reduce((sum, call) => sum + call.statements, 0);
    return { calls: own.length, statements, ...addRows(rows) };
  };
};

/** What objects are asked and what they read and write, by the object's name; an object may live in several instances. */
const countObjects = async () => {
  const names = new Map<object, string>();
  const requests: string[] = [];
  const cursors: { readonly sql: object; readonly cursor: Cursor }[] = [];
  const alarms: object[] = [];
  await runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), (_, { storage }) => {
    const known = storage.sql.exec("SELECT 1");
    aroundMethod(Object.getPrototypeOf(storage.sql), "exec", (sql, _args, call) => {
      const cursor = call();
      if (isCursor(cursor, known)) cursors.push({ sql, cursor });
      return cursor;
    });
    for (const name of ["setAlarm", "deleteAlarm"]) {
      aroundMethod(Object.getPrototypeOf(storage), name, (self, _args, call) => {
        alarms.push(self);
        return call();
      });
    }
  });
  for (const [prototype, methods] of REQUESTS) {
    for (const method of methods) {
      aroundMethod(prototype, method, (self, _args, call) => {
        const { id, storage } = Context.parse(Reflect.get(self, "ctx"));
        names.set(storage, id.name).set(storage.sql, id.name);
        requests.push(id.name);
        return call();
      });
    }
  }
  return (name: string): ObjectCost => {
    const rows = addRows(cursors.filter(({ sql }) => names.get(sql) === name).map(({ cursor }) => cursor));
    const rowsWritten = rows.rowsWritten + alarms.filter((storage) => names.get(storage) === name).length;
    return { ...rows, rowsWritten, requests: requests.filter((one) => one === name).length };
  };
};

type Cursor = SqlStorageCursor<Record<string, SqlStorageValue>>;

const isCursor = (value: unknown, known: Cursor): value is Cursor =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.getPrototypeOf(known);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** What an object was given. Its storage is kept as it is, to be known again. */
const Context = z.object({
  id: z.object({ name: z.string() }),
  storage: z.custom<{ readonly sql: object }>((value) => isObject(value) && "sql" in value),
});

/** Counts from now on, until the test is over. Called inside a test. */
export const startMeter = async () => ({
  /** What D1 was asked by anything that names one of the ids. */
  d1: countD1(),
  /** What an object was asked and what it stored, by its name. */
  object: await countObjects(),
});

const addRows = (all: readonly Rows[]): Rows => ({
  rowsRead: all.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  rowsWritten: all.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
});
