/** The demo's prices: in the shape of Twelve Data, from a server on this machine alone, under a name of their own (docs/decisions/0123). */
import { ATTRIBUTIONS } from "../../contract/prices/attributions.ts";
import type { QuoteSource } from "./quote-source.ts";
import { twelveData } from "./twelvedata.ts";

/** Nothing is paid for, so all is asked for at once, and each minute. */
export const demo: QuoteSource = {
  ...twelveData,
  id: "demo",
  attribution: ATTRIBUTIONS.demo,
  batch: 100,
  creditsAMinute: 10_000,
  creditsADay: 1_000_000,
  tradingPauseMs: 60_000,
  historiesAtOnce: 50,
};
