/** How a list of stocks is narrowed and sorted: shared by `list-stocks` and the navigation state. */
import * as z from "zod";
import { Currency } from "./currency.ts";
import { StockStatus } from "./stock.ts";
import { Tags } from "./stock-draft.ts";
import { wellFormed } from "./well-formed.ts";

const SEARCH_REMEDY = "use at most 200 characters";
const SWITCH_REMEDY = "use true or false";

export const SortField = z.enum(
  [
    "symbol",
    "name",
    "quantity",
    "avgCost",
    "lastPrice",
    "marketValue",
    "gainPct",
    "distanceToTarget",
    "updatedAt",
    "createdAt",
  ],
  {
    error:
      "use symbol, name, quantity, avgCost, lastPrice, marketValue, gainPct, distanceToTarget, updatedAt or createdAt",
  },
);
export type SortField = z.infer<typeof SortField>;

export const SortOrder = z.enum(["asc", "desc"], { error: "use asc or desc" });
export type SortOrder = z.infer<typeof SortOrder>;

/** Fields of a filter. All given ones must hold; without any, every live stock passes. */
export const stockFilterFields = {
  q: z
    .string(SEARCH_REMEDY)
    .overwrite(wellFormed)
    .max(200, SEARCH_REMEDY)
    .optional()
    .describe(
      "Words that must all occur in symbol, name, ISIN, exchange, sector or tags; case and accents do not count",
    ),
  status: StockStatus.optional().describe(
    "holding: quantity above 0; watching: on the watchlist only; inactive: neither",
  ),
  watched: z.boolean(SWITCH_REMEDY).optional(),
  tags: Tags.optional().describe("Tags a stock must all have"),
  currency: Currency.optional().describe("Stocks whose amounts are in this currency"),
  targetHit: z.boolean(SWITCH_REMEDY).optional().describe("Whether the last price has reached a target"),
  deleted: z.boolean(SWITCH_REMEDY).optional().describe("true lists the trash instead of the live stocks"),
};

export const StockFilter = z.object(stockFilterFields);
export type StockFilter = z.infer<typeof StockFilter>;
