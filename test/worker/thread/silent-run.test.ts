/** A run whose object takes a question and never answers: whoever asks for its status goes on without it. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { listOpenRuns } from "../../../src/db/runs.ts";
import { trueStatuses } from "../../../src/thread/true-statuses.ts";
import { holdTimers } from "../../support/workerd/held-timers.ts";
import { insertLostStart } from "../../support/workerd/lost-start.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** Longest wait for its answer. */
const ANSWER_MS = 5_000;

it("keeps the status that D1 has", async () => {
  const { email } = somebody();
  const runId = await insertLostStart(email, "t", "Hello");
  const db = openDb(env.DB);
  const rows = await listOpenRuns(db, OwnerEmail.parse(email));
  const silent = { status: () => new Promise<never>(() => {}) };
  const RUNS = new Proxy(env.RUNS, {
    get: (runs, name) => (name === "getByName" ? () => silent : Reflect.get(runs, name)),
  });
  const timers = holdTimers(ANSWER_MS);
  const asked = trueStatuses({ ...env, RUNS }, db, rows, Date.now());
  await timers.ringHere();
  expect([...(await asked)]).toEqual([[runId, { status: "queued", costUsd: null }]]);
});
