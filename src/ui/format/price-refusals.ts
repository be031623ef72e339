/** Why a price source gave no answer, in words. */
import type { FindSymbolOutput } from "../../contract/prices/find-symbol.ts";

/** The server's word for it. */
export type PriceRefusal = NonNullable<FindSymbolOutput["unavailable"]>;

/** The words within a sentence. */
export const REFUSALS: Readonly<Record<PriceRefusal, string>> = {
  unknown: "the price source does not know this listing",
  plan: "your key's plan does not include it",
  budget: "your key has no requests left for now",
  auth: "the price source refuses your key",
  down: "the price source does not answer",
  bad: "the price source's answer cannot be read",
};
