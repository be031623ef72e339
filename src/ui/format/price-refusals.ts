/** Why a price source gave no answer, in words. */
import type { FindSymbolOutput } from "../../contract/prices/find-symbol.ts";

/** The server's word for it. */
export type PriceRefusal = NonNullable<FindSymbolOutput["unavailable"]>;

/** The words within a sentence. They do not say whose the key is: it may be everybody's. */
export const REFUSALS: Readonly<Record<PriceRefusal, string>> = {
  unknown: "the price source does not know this listing",
  plan: "the plan with the price source does not include it",
  budget: "no requests to the price source are left for now",
  auth: "the price source refuses the key",
  down: "the price source does not answer",
  bad: "the price source's answer cannot be read",
};
