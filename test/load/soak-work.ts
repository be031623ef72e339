/** What people do during a soak, in a mix that leaves nothing behind but what the product keeps on purpose. */
import { z } from "zod";
import { AddResult } from "../../src/contract/stocks/add-stock.ts";
import { ListStocksOutput } from "../../src/contract/stocks/list-stocks.ts";
import { followRun } from "./follow-run.ts";
import type { LoadModel } from "./load-model.ts";
import type { Owner } from "./owner.ts";
import { eventsOf, turnProblems } from "./turn-problems.ts";

const QUEUED_TURNS = 3;
const DELTAS = 100;
const SUBSCRIBERS = 20;
const STOCKS = 20;

/** Adds to the counts of the soak's line. */
export type SoakCounts = { turns: number; streams: number; calls: number };

type Deed = (owner: Owner, model: LoadModel, counts: SoakCounts) => Promise<void>;

/** A few turns of one thread at once, in order; then the thread is deleted. */
const talk: Deed = async (owner, _model, counts) => {
  const threadId = crypto.randomUUID();
  const runs: string[] = [];
  for (let turn = 1; turn <= QUEUED_TURNS; turn += 1)
    runs.push(await owner.startTurn(threadId, { turn, deltas: DELTAS, call: "list-stocks" }));
  const readings = await Promise.all(runs.map((runId) => followRun(owner, runId, { keepsFrames: true })));
  for (const [index, reading] of readings.entries()) {
    const turns = Array.from({ length: index + 1 }, (_, before) => before + 1);
    owner.incidents.add(...(await turnProblems(owner, runs[index] ?? "", reading, turns)));
  }
  const { status } = await owner.ask("DELETE", `/_framework/threads/${threadId}`);
  owner.incidents.require(status === 200, `a thread's deletion was answered ${status}`);
  counts.turns += QUEUED_TURNS;
  counts.streams += QUEUED_TURNS;
};

/** One run and its subscribers, some of which disconnect and come back. */
const watch: Deed = async (owner, _model, counts) => {
  const runId = await owner.startTurn("watched", { turn: 1, deltas: DELTAS, delayMs: 5 });
  const readings = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, (_, index) =>
      followRun(owner, runId, { keepsFrames: index === 0, ...(index % 5 === 1 ? { leavesAfter: 5 } : {}) }),
    ),
  );
  const digests = new Set(readings.map((reading) => reading.digest()));
  owner.incidents.require(digests.size === 1, `run ${runId}: its subscribers saw different bytes`);
  await owner.ask("DELETE", "/_framework/threads/watched");
  counts.turns += 1;
  counts.streams += SUBSCRIBERS;
};

/** A turn that is stopped while its model is silent. */
const stop: Deed = async (owner, model, counts) => {
  const gate = crypto.randomUUID();
  const runId = await owner.startTurn(gate, { turn: 1, gate });
  const reading = followRun(owner, runId, { keepsFrames: true });
  await owner.ask("POST", `/_framework/runs/${runId}/abort`);
  const end = eventsOf(await reading).at(-1);
  const isAborted = end?.type === "run_end" && end.status === "aborted";
  owner.incidents.require(isAborted, `run ${runId} was stopped and ended as ${JSON.stringify(end)}`);
  await model.open(gate);
  await owner.ask("DELETE", `/_framework/threads/${gate}`);
  counts.turns += 1;
  counts.streams += 1;
};

/** The same stocks are added, changed and deleted each time: they are restored from the trash, so it does not grow. */
const keepStocks: Deed = async (owner, _model, counts) => {
  const items = Array.from({ length: STOCKS }, (_, index) => ({ symbol: `SOAK${index}`, quantity: "2" }));
  const { results } = await owner.act(z.object({ results: z.array(AddResult) }), "add-stock", {
    items,
    onConflict: "update",
  });
  const ids = results.flatMap(({ stock }) => stock?.id ?? []);
  owner.incidents.require(ids.length === STOCKS, `${ids.length} of ${STOCKS} stocks were added`);
  for (const q of ["", "soak", "soak1"]) await owner.act(ListStocksOutput, "list-stocks", { q, limit: 200 });
  await owner.act(z.object({ deleted: z.array(z.string()) }), "delete-stock", { ids });
  counts.calls += 5;
};

const DEEDS: readonly Deed[] = [talk, watch, stop, keepStocks];

/** Everybody talks until there have been that many turns together; what is begun is finished. */
export const warmUp = async (
  turns: number,
  owners: readonly Owner[],
  model: LoadModel,
  counts: SoakCounts,
): Promise<void> => {
  await Promise.all(
    owners.map(async (owner) => {
      while (counts.turns < turns) await talk(owner, model, counts);
    }),
  );
};

/** Everybody does one thing after the other until `endMs` (of `performance.now()`); what is begun is finished. */
export const soakUntil = async (
  endMs: number,
  owners: readonly Owner[],
  model: LoadModel,
  counts: SoakCounts,
): Promise<void> => {
  await Promise.all(
    owners.map(async (owner, place) => {
      for (let step = place; performance.now() < endMs; step += 1)
        await DEEDS[step % DEEDS.length]?.(owner, model, counts);
    }),
  );
};
