/**
 * `npm run test:load`: the dev command under load, looked at from outside. What it answers is asserted; times and memory
 * are only told. `--only NAME`, `--scale 0.1` for a tenth of the load.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Stops } from "../bench/stops.ts";
import { startLoadWorld } from "./load-world.ts";
import { type Measured, measureScenario } from "./measure-scenario.ts";
import { formatLoad, writeJson } from "./report.ts";
import type { Scenario } from "./scenario.ts";
import { deepQueues } from "./scenarios/deep-queues.ts";
import { fullList } from "./scenarios/full-list.ts";
import { manyOwners } from "./scenarios/many-owners.ts";
import { manySubscribers } from "./scenarios/many-subscribers.ts";
import { turnsAtOnce } from "./scenarios/turns-at-once.ts";

const SCENARIOS: readonly Scenario[] = [turnsAtOnce, manySubscribers, deepQueues, fullList, manyOwners];

/** How long the idle product is looked at, in ms. */
const IDLE_MS = 10_000;

const { values: options } = parseArgs({
  options: { only: { type: "string" }, scale: { type: "string", default: "1" } },
});
const say = (line: string) => void process.stderr.write(`${line}\n`);

const chosen = SCENARIOS.filter(({ name }) => options.only === undefined || options.only === name);
const stops = new Stops();
const results: Measured[] = [];
let left: readonly string[] = [];
try {
  const world = await startLoadWorld(stops);
  // The first questions wait for what is made once.
  await delay(IDLE_MS / 2);
  await world.probe.look();
  await delay(IDLE_MS);
  const idle = await world.probe.look();
  for (const scenario of chosen) {
    say(`${scenario.name} …`);
    results.push(await measureScenario(scenario, world, Number(options.scale)));
  }
  left = await world.stop();
  const path = writeJson("load", { scale: Number(options.scale), idle, results });
  process.stdout.write(`${[formatLoad(results, idle), ...left].join("\n")}\n`);
  say(path);
} finally {
  await stops.all();
}
const isSound = chosen.length > 0 && left.length === 0 && results.every(({ problems }) => problems.length === 0);
process.exit(isSound ? 0 : 1);
