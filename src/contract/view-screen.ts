/** `view-screen`: what the caller has before them, read anew on the server (CONTRACT §5). */
import * as z from "zod";
import { CurrencyTotal } from "./list-stocks.ts";
import { Navigation, View } from "./navigation.ts";
import { Stock } from "./stock.ts";

export const ViewScreenInput = z.strictObject({});
export type ViewScreenInput = z.infer<typeof ViewScreenInput>;

/** A row of the screen: what a person sees of a stock without opening it. */
export const ScreenStock = Stock.pick({
  id: true,
  symbol: true,
  exchange: true,
  name: true,
  status: true,
  currency: true,
  quantity: true,
  avgCost: true,
  lastPrice: true,
  marketValue: true,
  gainPct: true,
  watched: true,
  targetState: true,
  distanceToTargetPct: true,
  tags: true,
  version: true,
});
export type ScreenStock = z.infer<typeof ScreenStock>;

export const ViewScreenOutput = z.object({
  /** Null when no screen has told where it is. */
  screen: View.nullable(),
  navigation: Navigation.nullable(),
  /** One sentence: what is shown, of how many, filtered and sorted how. */
  summary: z.string(),
  /** At most the first 50 stocks of the list on the screen. */
  visible: z.array(ScreenStock),
  /** The live ones of the selected stocks. */
  selected: z.array(ScreenStock),
  /** The whole record of the stock that is open. */
  open: Stock.nullable(),
  /** Over the screen's filter. */
  totals: z.array(CurrencyTotal),
});
export type ViewScreenOutput = z.infer<typeof ViewScreenOutput>;
