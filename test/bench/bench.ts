/** `npm run bench`: the product against a floor that runs beside it, in turns. Never asserts a time. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUDGETS } from "./budgets.ts";
import { startFloor } from "./floor-subject.ts";
import { startProduct } from "./product-subject.ts";
import { formatTable, type Result, toJson } from "./report.ts";
import type { Subject } from "./subject.ts";

const OUTPUT_DIR = join(import.meta.dirname, "out");

const { values: options } = parseArgs({
  options: {
    /** Rounds that count; one more comes first, to warm up. */
    rounds: { type: "string", default: "5" },
    /** Measures the floor alone: what this machine can do. */
    floor: { type: "boolean", default: false },
  },
});

const measureRound = async (results: readonly Result[], subjects: readonly Subject[]): Promise<void> => {
  for (const { budget, samples } of results) {
    for (const subject of subjects) {
      // The dev proxy of wrangler drops a connection under load now and then, on either side: that sample is left out.
      const sample = await budget.measure(subject).catch((error: unknown) => {
        process.stderr.write(`left out: ${budget.name} of the ${subject.name}: ${String(error)}\n`);
      });
      if (sample !== undefined) samples[subject.name].push(sample);
    }
  }
};

const stopAll = () => Promise.all(subjects.map((subject) => subject.stop()));

const subjects = options.floor ? [await startFloor()] : [await startFloor(), await startProduct()];
for (const [name, exitCode] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(name, () => void stopAll().finally(() => process.exit(exitCode)));
}
try {
  const results: readonly Result[] = BUDGETS.map((budget) => ({ budget, samples: { floor: [], product: [] } }));
  await measureRound(
    BUDGETS.map((budget) => ({ budget, samples: { floor: [], product: [] } })),
    subjects,
  );
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
    // Each round begins with the other side, so that neither always has the warmer machine.
    await measureRound(results, round % 2 === 0 ? subjects.toReversed() : subjects);
  }
  const at = new Date();
  mkdirSync(OUTPUT_DIR, { recursive: true });
  writeFileSync(join(OUTPUT_DIR, `${at.toISOString().replaceAll(":", "-")}.json`), toJson(results, at));
  process.stdout.write(`${formatTable(results)}\n`);
} finally {
  await stopAll();
}
process.exit(0);
