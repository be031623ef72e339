/** Measures the server's budgets: floor and product take turns, so that both have the same machine. */
import { BUDGETS, type Budget, SIGNED_IN_BUDGETS } from "./budgets.ts";
import { StockListAnswer, startFloor } from "./floor-subject.ts";
import { startProduct } from "./product-subject.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";
import type { Subject } from "./subject.ts";

type ServerResult = Result & { readonly budget: Budget };

/** The two that take turns; the product is undefined when the floor is measured alone. */
type Sides = { readonly floor: Subject; readonly product: Subject | undefined };

const SIDES = ["floor", "product"] as const;

const measureRound = async (results: readonly ServerResult[], sides: Sides, isTurned: boolean): Promise<void> => {
  for (const { budget, samples } of results) {
    for (const side of isTurned ? SIDES.toReversed() : SIDES) {
      const subject = sides[side];
      // The dev proxy of wrangler drops a connection under load now and then, on either side: that sample is left out.
      const sample = await (subject && budget.measure(subject))?.catch((error: unknown) => {
        process.stderr.write(`left out: ${budget.name} of the ${side}: ${String(error)}\n`);
      });
      if (sample !== undefined) samples[side].push(sample);
    }
  }
};

const unmeasured = (budgets: readonly Budget[]): ServerResult[] =>
  budgets.map((budget) => ({ budget, samples: { floor: [], product: [] } }));

const measureAll = async (budgets: readonly Budget[], sides: Sides, rounds: number): Promise<ServerResult[]> => {
  await measureRound(unmeasured(budgets), sides, false);
  const results = unmeasured(budgets);
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`round ${round} of ${rounds}\n`);
    // Each round begins with the other side, so that neither always has the warmer machine.
    await measureRound(results, sides, round % 2 === 0);
  }
  return results;
};

/** Runs `rounds` rounds after one that warms up. */
export const benchServer = async (
  { rounds, floorOnly }: { readonly rounds: number; readonly floorOnly: boolean },
  stops: Stops,
): Promise<Result[]> => {
  const started = async <Some extends Subject>(start: Promise<Some>): Promise<Some> => {
    const subject = await start;
    stops.add(subject.stop);
    return subject;
  };
  const floor = await started(startFloor());
  const product = floorOnly ? undefined : await started(startProduct());
  if (product === undefined) return await measureAll(BUDGETS, { floor, product }, rounds);
  await floor.takeList(StockListAnswer.parse(JSON.parse(await product.readList())));
  const results = await measureAll(BUDGETS, { floor, product }, rounds);
  const signedIn = await started(startProduct({ hasSignIn: true }));
  return [...results, ...(await measureAll(SIGNED_IN_BUDGETS, { floor: product, product: signedIn }, rounds))];
};
