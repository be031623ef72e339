/** `kill -9` of everything at random moments. Cases go in chains on the same data: each restart is the next one's victim. */
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { ALL_SCENARIOS, LEAD_SCENARIOS } from "../scenarios/all-scenarios.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { type DevWorld, startDevWorld } from "../world/dev-world.ts";
import { playKillCase } from "./kill-case.ts";

/** Cases on the same data. A failed one ends its chain, so that it cannot fail the others. */
const CHAIN_LENGTH = 20;

async function* run(scenarios: readonly Scenario[], { seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  let world: DevWorld | undefined;
  let length = 0;
  for (const seed of seeds) {
    if (world === undefined || length >= CHAIN_LENGTH) {
      await world?.stop();
      world = await startDevWorld(stops);
      length = 0;
    }
    length += 1;
    const { label, kills, problems, log } = await playKillCase(seed, world, scenarios);
    yield { seed, label, tried: kills, problems, log };
    if (problems.length === 0) continue;
    await world.stop();
    world = undefined;
  }
  await world?.stop();
}

/** The class. */
export const killClass: FaultClass = {
  name: "kill",
  about: "kill -9 of the whole dev command, also in the middle of its start",
  caseSeconds: 14,
  run: (input) => run(ALL_SCENARIOS, input),
};

/** The same deaths, while a person leads the agent or takes back what it did. */
export const leadClass: FaultClass = {
  name: "lead",
  about: "the same while messages are sent to runs, runs are undone and chats are branched",
  caseSeconds: 14,
  run: (input) => run(LEAD_SCENARIOS, input),
};
