/** Loads the sources when one of them is first asked. */
import { lateModule } from "../contract/loading/late-module.ts";
import type { PriceSourceId } from "../contract/settings/price-settings.ts";
import type { QuoteSource } from "./sources/quote-source.ts";

const loadSources = lateModule(() => import("./sources/find-source.ts"));

/** The source of this name. */
export const loadSource = async (id: PriceSourceId): Promise<QuoteSource> => (await loadSources()).findSource(id);
