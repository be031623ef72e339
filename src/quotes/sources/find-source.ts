/** The sources by name. */
import { ATTRIBUTIONS } from "../../contract/prices/attributions.ts";
import type { PriceSourceId } from "../../contract/settings/price-settings.ts";
import { eodhd } from "./eodhd.ts";
import type { QuoteSource } from "./quote-source.ts";
import { twelveData } from "./twelvedata.ts";

/**
 * The demo's prices: in the shape of Twelve Data, from a server on this machine alone, under a name of their own (decision 0123).
 * Nothing is paid for, so all is asked for at once, and each minute.
 */
const demo: QuoteSource = {
  ...twelveData,
  id: "demo",
  attribution: ATTRIBUTIONS.demo,
  batch: 100,
  creditsAMinute: 10_000,
  creditsADay: 1_000_000,
  tradingPauseMs: 60_000,
  historiesAtOnce: 50,
};

const SOURCES: Readonly<Record<PriceSourceId, QuoteSource>> = { twelvedata: twelveData, eodhd, demo };

/** The source of this name. */
export const findSource = (id: PriceSourceId): QuoteSource => SOURCES[id];
