/**
 * `npm run test:soak`: waves of mixed load with rests between them, and whether workerd is after the last rests as it was
 * after the first ones. `--minutes N`, 10 by default; 1 is enough to see that it runs.
 *
 * What it does not measure is garbage. Under load V8 puts off the collection of all but the youngest objects, and with each
 * Request or Response that nobody holds any more goes native memory (https://github.com/cloudflare/workerd/issues/6824).
 * So workerd as it comes grows by 73 KB for each of the first requests to the health route, in the four Workers that
 * wrangler puts around ours as in ours, and by 8 KB where a Worker of one line is all there is. With everything collected a
 * list of stocks adds 0.4 KB, and a turn nothing once workerd is warm.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Stops } from "../bench/stops.ts";
import { formatTable } from "../support/format-table.ts";
import { type Growth, growthOf } from "./growth.ts";
import { inMb } from "./in-mb.ts";
import { Incidents } from "./incidents.ts";
import { startLoadWorld } from "./load-world.ts";
import { SETTLE_MS } from "./measure-scenario.ts";
import { writeJson } from "./report.ts";
import { soakUntil, warmUp } from "./soak-work.ts";

/** A wave with its rest, and the load of it at least, in ms. */
const WAVE_MS = 30_000;
const MIN_LOAD_MS = 3_000;

/** Waves of a short soak: one to warm up, one for each third. */
const MIN_WAVES = 4;

const OWNERS = 8;

/** Makes V8 collect all of an isolate's garbage each time, not only the young generation: whatever is left is still referenced. */
const COLLECT_ALL = { MINIFLARE_WORKERD_V8_FLAGS: "--gc-global" };

/**
 * Turns before the first wave, for each minute and at most. A turn's databases are closed behind it, and the allocator keeps
 * their pages for those to come: with 600 turns at a time, private memory has grown by 179, 43, 24, 1 and 0 MB.
 */
const WARM_UP_TURNS = { eachMinute: 120, atMost: 1_200 };

const MB = 1_048_576;

/** What is looked at behind each rest. Allocators keep some of what they had; a leak of each turn passes this soon. */
const FIGURES = [
  { name: "JS heap, collected", tolerance: { share: 0.1, atLeast: 3 * MB }, write: inMb },
  { name: "RSS", tolerance: { share: 0.1, atLeast: 25 * MB }, write: inMb },
  { name: "private memory", tolerance: { share: 0.1, atLeast: 25 * MB }, write: inMb },
  { name: "open files", tolerance: { share: 0.1, atLeast: 10 }, write: String },
] as const;

const { values: options } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const totalMs = Number(options.minutes) * 60_000;
const waves = Math.max(MIN_WAVES, Math.round(totalMs / WAVE_MS));
const loadMs = Math.max(MIN_LOAD_MS, totalMs / waves - SETTLE_MS);
const say = (line: string) => void process.stderr.write(`${line}\n`);

const stops = new Stops();
const incidents = new Incidents();
const counts = { turns: 0, streams: 0, calls: 0 };
/** One row a wave: the figures in their order. */
const rows: number[][] = [];
let growths: Growth[] = [];
try {
  const world = await startLoadWorld(stops, COLLECT_ALL);
  const owners = await world.owners(OWNERS, incidents);
  const warmUpTurns = Math.min(WARM_UP_TURNS.atMost, WARM_UP_TURNS.eachMinute * Number(options.minutes));
  await warmUp(warmUpTurns, owners, world.model, counts);
  for (let wave = 1; wave <= waves; wave += 1) {
    await soakUntil(performance.now() + loadMs, owners, world.model, counts);
    await delay(SETTLE_MS);
    const heapBytes = await world.inspectHeap();
    const { app } = world.sample();
    const row = [heapBytes, app.rssBytes, app.privateBytes, app.openFiles];
    rows.push(row);
    say(
      `wave ${wave} of ${waves}: ${FIGURES.map(({ name, write }, at) => `${name} ${write(row[at] ?? 0)}`).join(", ")}`,
    );
  }
  incidents.add(...world.newLogProblems(), ...(await world.model.counts()).problems);
  incidents.add(...(await world.stop()));
  growths = FIGURES.map(({ tolerance }, at) =>
    growthOf(
      rows.map((row) => row[at] ?? 0),
      tolerance,
    ),
  );
  const table = FIGURES.flatMap(({ name, write }, at) => {
    const growth = growths[at];
    if (growth === undefined) return [];
    const { first, last, mayBe, isFlat } = growth;
    return [[name, write(first), write(last), write(Math.round(mayBe)), isFlat ? "flat" : "GREW"]];
  });
  const { turns, streams, calls } = counts;
  process.stdout.write(
    `${[
      `${waves} waves: ${turns} turns, ${streams} streams, ${calls} calls; ${incidents.reconnects} connections made again`,
      formatTable([["MB after a rest", "first third", "last third", "may be", ""], ...table]),
      ...incidents.problems,
    ].join("\n")}\n`,
  );
  say(
    writeJson("soak", {
      waves,
      loadMs,
      counts,
      figures: FIGURES.map(({ name }) => name),
      rows,
      problems: incidents.problems,
    }),
  );
} finally {
  await stops.all();
}
process.exit(incidents.problems.length === 0 && growths.every(({ isFlat }) => isFlat) ? 0 : 1);
