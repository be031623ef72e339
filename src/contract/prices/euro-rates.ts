/** Exchange rates as they are stored and used: how much of each currency one euro is worth. */
import * as z from "zod";
import { DecimalText } from "../stocks/decimal.ts";

/** The reference rates of one day, `YYYY-MM-DD`. EUR itself is not among them. */
export const EuroRates = z.object({ day: z.iso.date(), rates: z.record(z.string(), DecimalText) });
export type EuroRates = z.infer<typeof EuroRates>;
