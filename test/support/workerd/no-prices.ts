/** For actions that a test calls itself and that ask for no prices. */
import type { Prices } from "../../../src/quotes/prices.ts";

const nothing = async () => undefined;

export const NO_PRICES: Prices = {
  ...{ wantRates: () => undefined, wake: () => undefined, expectWake: () => undefined, watchTargets: () => undefined },
  ...{ search: nothing, refresh: nothing, link: nothing, fetchHistory: nothing },
};
