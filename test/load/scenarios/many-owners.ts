/** 200 owners, each with stocks, a turn and a list of their own, all at once: nobody may see another's data. */
import { z } from "zod";
import { AddResult } from "../../../src/contract/stocks/add-stock.ts";
import { ListStocksOutput } from "../../../src/contract/stocks/list-stocks.ts";
import { ThreadView } from "../../../src/contract/thread.ts";
import { followRun } from "../follow-run.ts";
import type { Owner } from "../owner.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { eventsOf, turnProblems } from "../turn-problems.ts";

const OWNERS = 200;
const STOCKS_EACH = 5;

/** The same for everybody: a thread's id is its owner's own. */
const THREAD_ID = "my thread";

const symbolsOf = (place: number): string[] =>
  Array.from({ length: STOCKS_EACH }, (_, stock) => `OWN${place}.${stock}`);

const isOwn = (symbols: readonly string[], place: number): boolean =>
  symbols.toSorted().join() === symbolsOf(place).toSorted().join();

/** What the agent was shown of the list. */
const symbolsSeenByAgent = (output: string): string[] =>
  z
    .object({ items: z.array(z.object({ symbol: z.string() })) })
    .parse(JSON.parse(output))
    .items.map(({ symbol }) => symbol);

const live = async (owner: Owner, place: number): Promise<void> => {
  const { incidents } = owner;
  const items = symbolsOf(place).map((symbol) => ({ symbol }));
  const added = z.object({ results: z.array(AddResult) });
  await owner.act(added, "add-stock", { items, idempotencyKey: crypto.randomUUID() });
  const runId = await owner.startTurn(THREAD_ID, { turn: 1, deltas: 50, call: "list-stocks" });
  const reading = await followRun(owner, runId, { keepsFrames: true });
  incidents.add(...(await turnProblems(owner, runId, reading, [1])));
  const call = eventsOf(reading).find(({ type }) => type === "tool_end");
  const seen = call?.type === "tool_end" && call.status === "completed" ? symbolsSeenByAgent(call.output) : [];
  incidents.require(isOwn(seen, place), `owner ${place}: the agent saw ${seen.join()}`);
  const { items: listed } = await owner.act(ListStocksOutput, "list-stocks", {});
  const symbols = listed.map(({ symbol }) => symbol);
  incidents.require(isOwn(symbols, place), `owner ${place}: the list holds ${symbols.join()}`);
  const { threads } = await owner.read(z.object({ threads: z.array(ThreadView) }), "/_framework/threads");
  incidents.require(threads.length === 1, `owner ${place} has ${threads.length} threads`);
};

export const manyOwners: Scenario = {
  name: "owners",
  run: async ({ world, incidents, scaled, begin }: Stage) => {
    const owners = await world.owners(scaled(OWNERS), incidents);
    await begin();
    await Promise.all(owners.map(live));
    return `${owners.length} owners at once, ${STOCKS_EACH} stocks and a turn each`;
  },
};
