/**
 * What a typical turn costs, counted. ARCHITECTURE.md turns these counts into dollars: whoever raises a budget changes
 * that table, too.
 */
import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { z } from "zod";
import { ownerHash } from "../../../src/contract/owner-hash.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";
import { startMeter } from "./cost-meter.ts";

/** Stocks of the person whose turn it is. Each list reads each twice: for the page, and to see whether that holds all. */
const STOCKS = 30;

/** Pieces the model's last text comes in. A real one of this length streams for some eight seconds. */
const DELTAS = 500;

/**
 * Most of each that the turn and the screen around it may take. Rows, calls and requests are Cloudflare's: what it bills.
 * A slow text writes up to 20 rows for each second it streams on top (`run/rows.test.ts`); here it comes at once.
 */
const BUDGET = {
  /** Each is billed, and each is a line in the log. */
  workerRequests: 9,
  /** Round trips to the one database all share: its throughput is what runs out first. */
  d1Calls: 18,
  d1Statements: 29,
  /** Twice the stocks for the screen's list and for the agent's, once for the limit of an addition. */
  d1RowsRead: 300,
  /** A run, its cost, its thread and session; a stock with its event and key; the screen's place. With their indexes. */
  d1RowsWritten: 27,
  /** Start, stream, answer, alarm; the last list asks the run itself where its end is not in D1 yet, and writes it there. */
  runRequests: 5,
  /** Half of them are SQLite's own, for six tables. */
  runRowsWritten: 45,
  runRowsRead: 160,
  sessionRequests: 5,
  sessionRowsWritten: 16,
  sessionRowsRead: 70,
  /** Bytes of both objects' databases when the turn is over. */
  storedBytes: 160_000,
  /** Each is an event that is billed; Cloudflare's own lines are off (wrangler.toml). */
  logLines: 14,
} as const;

/** Rows that a run writes when its log expires: three tables made anew, the run's own row, no alarm. */
const EXPIRY_ROWS = 8;

type Counts = Readonly<Record<keyof typeof BUDGET, number>>;

const LIMITS: ReadonlyMap<string, number> = new Map(Object.entries(BUDGET));

/** What is over, with both numbers. */
const overBudget = (counts: Counts): string[] =>
  Object.entries(counts)
    .filter(([name, count]) => count > (LIMITS.get(name) ?? 0))
    .map(([name, count]) => `${name}: ${count}, at most ${LIMITS.get(name)}`);

const databaseBytes = (stub: DurableObjectStub): Promise<number> =>
  runInDurableObject(stub, (_, { storage }) => storage.sql.databaseSize);

const LoginView = z.object({ session: z.object({ id: z.string() }) });

/** The id of a person's log-in, by which D1 is asked whether it still counts. */
const loginOf = async (person: Somebody): Promise<string> =>
  LoginView.parse((await person.ask("GET", "/_framework/auth/get-session")).body).session.id;

/** What the screen asks when it is opened on the list: four reads, and a word about where the person is. */
const openScreen = async (person: Somebody): Promise<void> => {
  await person.ask("GET", "/_framework/session");
  await person.ask("GET", "/_framework/actions/list-stocks?limit=200");
  await person.ask("GET", "/_framework/threads");
  await person.ask("GET", `${person.threadPath("t")}/runs`);
  await person.ask("POST", "/_framework/actions/set-navigation", { view: "stocks", path: "/stocks" });
};

it("a turn that reads, changes a stock and answers stays within its budget", { timeout: 20_000 }, async ({
  expect,
}) => {
  const person = somebody();
  const stocks = Array.from({ length: STOCKS }, (_, nth) => ({ symbol: `S${nth}`, quantity: "1" }));
  await person.action("add-stock", { items: stocks });
  const loginId = await loginOf(person);
  const model = await scriptModel(inject("modelUrl"), [
    callTool("list-stocks", {}),
    callTool("add-stock", { symbol: "AAPL", quantity: "10", avgCost: "180" }),
    say("word ".repeat(DELTAS), { deltas: DELTAS }),
  ]);
  const meter = await startMeter();
  const log = captureLog();

  await openScreen(person);
  const turn = await person.startTurn("t", model.prompt("Add 10 AAPL at 180"));
  const events = await person.followWith(turn.events, (event) => person.allow(turn.runId, event));
  await person.ask("GET", "/_framework/threads");
  // The watchdog that was set when the run began: it finds all delivered.
  await person.wake(turn.runId);

  const { sessionId } = theOnly(events, "run_start");
  const [d1, run, session] = [
    await meter.d1([person.email, turn.runId, loginId]),
    meter.object(turn.runId),
    meter.object(sessionId),
  ];
  // Those of a request before it may be written only now.
  const ids = [await ownerHash(person.email), turn.runId, sessionId];
  const lines = log.lines({}).filter((line) => ids.some((id) => JSON.stringify(line).includes(id)));
  const counts: Counts = {
    workerRequests: lines.filter(({ message }) => message === "request").length,
    d1Calls: d1.calls,
    d1Statements: d1.statements,
    d1RowsRead: d1.rowsRead,
    d1RowsWritten: d1.rowsWritten,
    runRequests: run.requests,
    runRowsRead: run.rowsRead,
    runRowsWritten: run.rowsWritten,
    sessionRequests: session.requests,
    sessionRowsRead: session.rowsRead,
    sessionRowsWritten: session.rowsWritten,
    storedBytes:
      (await databaseBytes(env.RUNS.getByName(turn.runId))) + (await databaseBytes(env.SESSIONS.getByName(sessionId))),
    logLines: lines.length,
  };
  expect(theOnly(events, "run_end").status).toBe("completed");
  expect(overBudget(counts)).toEqual([]);
});

it("a log that expires is dropped as a whole, as a deleted row costs a written one", { timeout: 20_000 }, async ({
  expect,
}) => {
  const person = somebody();
  const model = await scriptModel(inject("modelUrl"), [say("word ".repeat(60), { deltas: 60, delayMs: 5 })]);
  const turn = await person.startTurn("t", model.prompt("Go"));
  await person.follow(turn.events);
  await person.wake(turn.runId);
  await runInDurableObject(env.RUNS.getByName(turn.runId), async (_, { storage }) => {
    storage.sql.exec("UPDATE run SET state = json_set(state, '$.endedAtMs', 0)");
    await storage.sync();
  });
  await abortAllDurableObjects();
  const meter = await startMeter();
  await person.wake(turn.runId);
  expect(meter.object(turn.runId).rowsWritten).toBeLessThanOrEqual(EXPIRY_ROWS);
  expect(await person.ask("GET", turn.events)).toMatchObject({ status: 410 });
});
