/** The floor's routes: a bare turn start, a bare event stream, a replay from memory. */
import { Hono } from "hono";
import type { FloorEnv } from "./floor-env.ts";
import { keepList, readList } from "./stock-list.ts";
import { TABLES, writeTurn } from "./turn-batch.ts";

export { FloorPump } from "./floor-pump.ts";
export { FloorRun, FloorSession } from "./floor-turn.ts";

const app = new Hono<{ Bindings: FloorEnv }>();

app.get("/_framework/health", (c) => c.json({ ok: true }));

app.post("/setup", async (c) => {
  await c.env.DB.batch(TABLES.map((sql) => c.env.DB.prepare(sql)));
  return c.json({});
});

app.post("/turn", async (c) => {
  const { threadId } = await c.req.json<{ threadId: string }>();
  const turn = { runId: crypto.randomUUID(), sessionId: crypto.randomUUID(), thread: threadId };
  await writeTurn(c.env.DB, turn);
  await c.env.RUNS.getByName(turn.runId).start(turn.runId, turn.sessionId);
  return c.json({ runId: turn.runId, sessionId: turn.sessionId, events: `/_framework/runs/${turn.runId}/events` });
});

app.post("/pump", async (c) => {
  const { deltas, subscribers } = await c.req.json<{ deltas: number; subscribers: number }>();
  const runId = crypto.randomUUID();
  await c.env.PUMPS.getByName(runId).open(deltas, subscribers);
  return c.json({ runId });
});

app.post("/stocks", async (c) => {
  await keepList(c.env.DB, await c.req.json());
  return c.json({});
});

app.get("/stocks", async (c) => c.json(await readList(c.env.DB)));

app.get("/_framework/runs/:runId/*", (c) => c.env.PUMPS.getByName(c.req.param("runId")).fetch(c.req.raw));

export default app;
