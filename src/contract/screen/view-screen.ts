/** `view-screen`: what the caller sees, freshly read on the server (api.md §5). */
import * as z from "zod";
import { CurrencyTotal } from "../stocks/list-stocks.ts";
import { Stock } from "../stocks/stock.ts";
import { Navigation, View } from "./navigation.ts";

export const ViewScreenInput = z.strictObject({});
export type ViewScreenInput = z.infer<typeof ViewScreenInput>;

/** A row of the list: what a person sees of a stock without opening it. */
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
  /** Null when no screen has reported yet. */
  screen: View.nullable(),
  navigation: Navigation.nullable(),
  /** One sentence: what is shown, out of how many, and how it is filtered and sorted. */
  summary: z.string(),
  /** The first stocks of the list on the screen, at most 50. */
  visible: z.array(ScreenStock),
  /** The selected stocks that are not in the trash. */
  selected: z.array(ScreenStock),
  /** The full record of the open stock. */
  open: Stock.nullable(),
  /** Over all stocks that match the screen's filter. */
  totals: z.array(CurrencyTotal),
});
export type ViewScreenOutput = z.infer<typeof ViewScreenOutput>;
