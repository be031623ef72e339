/**
 * Seeded runs whose objects, all of them, die up to three times at random moments: run.md's promises hold from outside. A
 * seed that fails can be run alone: `npx vitest run --project worker faults -t "seed 17"`. More of them:
 * `VITE_FAULT_SEEDS=500 npx vitest run --project worker faults`.
 */
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { callTool, callTools, say, think } from "../../support/model-script.ts";
import { randomOf } from "../../support/random.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { type ReceivedEvent, runClient } from "../../support/workerd/run-client.ts";

/** Some 150 deaths in a normal run. */
const { env } = z.object({ env: z.object({ VITE_FAULT_SEEDS: z.coerce.number().default(50) }) }).parse(import.meta);
const SEEDS = Array.from({ length: env.VITE_FAULT_SEEDS }, (_, seed) => seed);

/** Deaths of one seed. */
const DEATHS = 3;

/** Events a turn of the script has, roughly: deaths fall anywhere in it. */
const EVENTS_PER_TURN = 45;

const symbols = ["AAPL", "MSFT", "NVDA"];

const addStocks = () => callTools(symbols.map((symbol) => ({ name: "add-stock", input: { symbol, quantity: "1" } })));

/**
 * A turn that reads in parallel, adds three stocks one after the other, thinks and speaks. It adds twice: a death in the
 * middle of an answer uses one up, and where none does, the second time must find all three there.
 */
const script = () => [
  callTools([
    { name: "list-stocks", input: {} },
    { name: "view-screen", input: {} },
  ]),
  addStocks(),
  addStocks(),
  think("Let me look again.", "I look again."),
];

/** Symbols whose addition the transcript says was completed: once each, or a stock was added twice or not at all. */
const addedSymbols = (events: readonly ReceivedEvent[]): string[] => {
  const ended = events.flatMap((event) => (event.type === "tool_end" && event.status === "completed" ? [event] : []));
  return ended.flatMap(({ output }) => output.match(/^{"stock":.*?"symbol":"([A-Z]+)"/)?.[1] ?? []).toSorted();
};

describe("a run whose objects die at random moments", () => {
  it.for(SEEDS)("keeps every promise, seed %i", async (seed, { expect }) => {
    const random = randomOf(seed);
    const deaths = new Set(Array.from({ length: DEATHS }, () => Math.ceil(random() * EVENTS_PER_TURN)));
    const client = runClient(`seed-${seed}@example.com`);
    const spare = Array.from({ length: DEATHS + 1 }, () => say("Done, one two three four five.", { deltas: 6 }));
    const model = await scriptModel(inject("modelUrl"), [...script(), ...spare]);
    const turn = await client.startSurely("thread", model.prompt("Add three stocks"));

    const seen: ReceivedEvent[] = [];
    const events = await client.followWith(turn.events, async (event) => {
      seen.push(event);
      if (deaths.delete(seen.length)) await abortAllDurableObjects();
      await client.allow(turn.runId, event);
    });

    expectWhole(events, "completed");
    expect(await client.follow(turn.events)).toEqual(seen);
    expect(await client.action("list-stocks", {})).toMatchObject({
      items: symbols.map((symbol) => ({ symbol, version: 1, updatedVia: "agent" })),
      total: 3,
    });
    expect(addedSymbols(events)).toEqual(symbols);

    await model.add([callTool("list-stocks", {}), say("Three."), say("Three.")]);
    const next = await client.startSurely("thread", "And now?");
    expect(next.sessionId).not.toBeNull();
    expectWhole(await client.follow(next.events), "completed");
    expect(await model.violations()).toEqual([]);
  });
});
