/** Why a source of prices gave no answer, in words. */
import type { FindSymbolOutput } from "../../contract/prices/find-symbol.ts";

/** The server's word for it. */
export type PriceRefusal = NonNullable<FindSymbolOutput["unavailable"]>;

/** Within a sentence. */
export const REFUSALS: Readonly<Record<PriceRefusal, string>> = {
  unknown: "the source of prices knows no such listing",
  plan: "the plan of your key does not include it",
  budget: "your key has no requests left for now",
  auth: "the source of prices refuses your key",
  down: "the source of prices does not answer",
  bad: "the answer of the source of prices makes no sense",
};
