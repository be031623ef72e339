/** The sources by name. */
import type { PriceSourceId } from "../../contract/settings/price-settings.ts";
import { demo } from "./demo.ts";
import { eodhd } from "./eodhd.ts";
import type { QuoteSource } from "./quote-source.ts";
import { twelveData } from "./twelvedata.ts";

const SOURCES: Readonly<Record<PriceSourceId, QuoteSource>> = { twelvedata: twelveData, eodhd, demo };

/** The source of this name. */
export const findSource = (id: PriceSourceId): QuoteSource => SOURCES[id];
