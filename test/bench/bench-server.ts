/** Measures the server's budgets: floor and product take turns, so that both have the same machine. */
import { BUDGETS, type Budget } from "./budgets.ts";
import { startFloor } from "./floor-subject.ts";
import { startProduct } from "./product-subject.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";
import type { Subject } from "./subject.ts";

type ServerResult = Result & { readonly budget: Budget };

const measureRound = async (results: readonly ServerResult[], subjects: readonly Subject[]): Promise<void> => {
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

const unmeasured = (): ServerResult[] => BUDGETS.map((budget) => ({ budget, samples: { floor: [], product: [] } }));

/** Runs `rounds` rounds after one that warms up. */
export const benchServer = async (
  { rounds, floorOnly }: { readonly rounds: number; readonly floorOnly: boolean },
  stops: Stops,
): Promise<Result[]> => {
  const subjects: Subject[] = [];
  for (const start of floorOnly ? [startFloor] : [startFloor, startProduct]) {
    const subject = await start();
    stops.add(subject.stop);
    subjects.push(subject);
  }
  await measureRound(unmeasured(), subjects);
  const results = unmeasured();
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`round ${round} of ${rounds}\n`);
    // Each round begins with the other side, so that neither always has the warmer machine.
    await measureRound(results, round % 2 === 0 ? subjects.toReversed() : subjects);
  }
  return results;
};
