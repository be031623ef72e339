/** `npm run bench`: the product against a floor that runs beside it, in turns; then its screens. Never asserts a time. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchListener } from "./bench-listener.ts";
import { benchPrices } from "./bench-prices.ts";
import { benchSearch } from "./bench-search.ts";
import { benchServer } from "./bench-server.ts";
import { benchStart } from "./bench-start.ts";
import { benchHarnesses } from "./harness/bench-harnesses.ts";
import { formatResults, type Result, toJson } from "./report.ts";
import { benchScreens } from "./screen/bench-screens.ts";
import { Stops } from "./stops.ts";

const OUTPUT_DIR = join(import.meta.dirname, "out");

const { values: options } = parseArgs({
  options: {
    /** Rounds that count; one more comes first, to warm up. */
    rounds: { type: "string", default: "5" },
    /** Measures the server's floor alone: what this machine can do. */
    floor: { type: "boolean", default: false },
    /** `start`, `server`, `prices`, `listener`, `search` or `screens`, all by default; or `harnesses`, which needs the agent SDK. */
    only: { type: "string" },
  },
});

const rounds = Number(options.rounds);
const stops = new Stops();
const results: Result[] = [];
try {
  if ([undefined, "start"].includes(options.only) && !options.floor) results.push(...(await benchStart(rounds, stops)));
  await stops.all();
  if ([undefined, "server"].includes(options.only))
    results.push(...(await benchServer({ rounds, floorOnly: options.floor }, stops)));
  await stops.all();
  if ([undefined, "prices"].includes(options.only) && !options.floor)
    results.push(...(await benchPrices(rounds, stops)));
  await stops.all();
  if ([undefined, "listener"].includes(options.only) && !options.floor)
    results.push(...(await benchListener(rounds, stops)));
  await stops.all();
  if ([undefined, "search"].includes(options.only) && !options.floor)
    results.push(...(await benchSearch(rounds, stops)));
  if (options.only === "harnesses") results.push(...(await benchHarnesses(rounds, stops)));
  // The screens have the machine to themselves.
  await stops.all();
  if ([undefined, "screens"].includes(options.only) && !options.floor)
    results.push(...(await benchScreens(rounds, stops)));
} finally {
  await stops.all();
}
const at = new Date();
mkdirSync(OUTPUT_DIR, { recursive: true });
writeFileSync(join(OUTPUT_DIR, `${at.toISOString().replaceAll(":", "-")}.json`), toJson(results, at));
process.stdout.write(`${formatResults(results)}\n`);
process.exit(0);
