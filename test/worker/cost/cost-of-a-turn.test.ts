/** What a typical turn costs, counted, and held to the table in ARCHITECTURE.md: its rows are the budget. */
import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { z } from "zod";
import architecture from "../../../ARCHITECTURE.md?raw";
import { ownerHash } from "../../../src/contract/digest.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";
import { startMeter } from "./cost-meter.ts";
import { dollarsOf, inCents, readCostTable } from "./cost-table.ts";

/** Stocks of the person whose turn it is. Each list reads each twice: for the page, and to see whether that holds all. */
const STOCKS = 30;

/** Pieces the model's last text comes in. A real one of this length streams for some eight seconds. */
const DELTAS = 500;

/** Kinds of event that wait for more of their kind for 50 ms at most, so that a machine with more to do makes more rows of them. */
const WAITING = ["message_start", "text_delta"];

/** Rows that hold nothing else, when all of a text comes at once: its first piece. */
const WAITING_ROWS = 1;

/** A page of SQLite, in bytes: more than all other rows of waiting events take. */
const PAGE_BYTES = 4_096;

/** What a turn may take, by the table in ARCHITECTURE.md. Rows, calls and requests are Cloudflare's: what it bills. */
const TABLE = readCostTable(architecture);

/** Rows that a run writes when its log expires: tables created again, the run's own row, no alarm. */
const EXPIRY = "expiryRowsWritten";

/** What its object keeps then, as ARCHITECTURE.md says below the table. */
const KEPT_BYTES = Number(/keeps less than (\d+) KB/.exec(architecture)?.[1]) * 1_000;

const limitOf = (name: string): number => TABLE.rows.find((row) => row.counted === name)?.atMost ?? 0;

/** What is over, with both numbers. */
const overBudget = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts)
    .filter(([name, count]) => count > limitOf(name))
    .map(([name, count]) => `${name}: ${count}, at most ${limitOf(name)}`);

const databaseBytes = (stub: DurableObjectStub): Promise<number> =>
  runInDurableObject(stub, (_, { storage }) => storage.sql.databaseSize);

const Frame = z.object({ type: z.string() });

/** Rows of a run's log that hold nothing but events that waited. */
const waitingRows = (runId: string): Promise<number> =>
  runInDurableObject(env.RUNS.getByName(runId), (_, { storage }) => {
    const rows = storage.sql.exec<{ frames: ArrayBuffer }>("SELECT frames FROM transcript").toArray();
    const kinds = rows.map(({ frames }) =>
      [...new TextDecoder().decode(frames).matchAll(/^data: (.*)$/gm)].map(
        ([, data]) => Frame.parse(JSON.parse(data ?? "")).type,
      ),
    );
    return kinds.filter((row) => row.every((kind) => WAITING.includes(kind))).length;
  });

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

it("a turn that reads, changes a stock and answers stays within its budget", async ({ expect }) => {
  const person = somebody();
  const stocks = Array.from({ length: STOCKS }, (_, nth) => ({ symbol: `S${nth}`, quantity: "1" }));
  await person.action("add-stock", { items: stocks });
  const loginId = await loginOf(person);
  // Whoever is not there yet when the agent asks is told by an alarm of its own, so it begins once the screen is there.
  const first = callTool("list-stocks", {});
  const model = await scriptModel(inject("modelUrl"), [
    { ...first, frames: [{ type: "hold" }, ...first.frames] },
    callTool("add-stock", { symbol: "AAPL", quantity: "10", avgCost: "180" }),
    say("word ".repeat(DELTAS), { deltas: DELTAS }),
  ]);
  const meter = await startMeter();
  const log = captureLog();

  await openScreen(person);
  const turn = await person.startTurn("t", model.prompt("Add 10 AAPL at 180"));
  // The screen looks for turns that were started elsewhere before this one.
  await person.ask("GET", `${person.threadPath("t")}/runs`);
  const events = await person.followWith(turn.events, async (event) => {
    if (event.type === "run_start") await model.release();
    await person.allow(turn.runId, event);
  });
  await person.ask("GET", "/_framework/threads");
  // The watchdog that was set when the run began: it finds all delivered.
  await person.wake(turn.runId);

  const errors = log.lines({ level: "error" }).filter((line) => JSON.stringify(line).includes(turn.runId));
  expect([theOnly(events, "run_end").status, errors]).toEqual(["completed", []]);
  const { sessionId } = theOnly(events, "run_start");
  const [d1, run, session] = [
    await meter.d1([person.email, turn.runId, loginId]),
    meter.object(turn.runId),
    meter.object(sessionId),
  ];
  // Those of a request before it may be written only now.
  const ids = [await ownerHash(person.email), turn.runId, sessionId];
  const lines = log.lines({}).filter((line) => ids.some((id) => JSON.stringify(line).includes(id)));
  const laterRows = Math.max(0, (await waitingRows(turn.runId)) - WAITING_ROWS);
  const counts = {
    workerRequests: lines.filter(({ message }) => message === "request").length,
    d1Calls: d1.calls,
    d1Statements: d1.statements,
    d1RowsRead: d1.rowsRead,
    d1RowsWritten: d1.rowsWritten,
    runRequests: run.requests,
    runRowsRead: run.rowsRead,
    runRowsWritten: run.rowsWritten - laterRows,
    sessionRequests: session.requests,
    sessionRowsRead: session.rowsRead,
    sessionRowsWritten: session.rowsWritten,
    storedBytes:
      (await databaseBytes(env.RUNS.getByName(turn.runId))) +
      (await databaseBytes(env.SESSIONS.getByName(sessionId))) -
      (laterRows > 0 ? PAGE_BYTES : 0),
    logLines: lines.length,
  };
  expect(overBudget(counts)).toEqual([]);
  const counted = TABLE.rows.flatMap((row) => row.counted ?? []);
  expect(counted.sort()).toEqual([...Object.keys(counts), EXPIRY].sort());
});

it("costs the dollars that ARCHITECTURE.md says", ({ expect }) => {
  const wrong = TABLE.rows.filter((row) => row.dollars !== dollarsOf(row));
  expect(wrong).toEqual([]);
  expect(TABLE.sum).toBe(inCents(TABLE.rows.reduce((sum, row) => sum + row.dollars, 0)));
  expect(TABLE.rows.length).toBeGreaterThan(15);
});

it("a log that expires is dropped as a whole, as a deleted row costs a written one", async ({ expect }) => {
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
  expect(await databaseBytes(env.RUNS.getByName(turn.runId))).toBeLessThan(KEPT_BYTES);
  expect(meter.object(turn.runId).rowsWritten).toBeLessThanOrEqual(limitOf(EXPIRY));
  expect(await person.ask("GET", turn.events)).toMatchObject({ status: 410 });
});
