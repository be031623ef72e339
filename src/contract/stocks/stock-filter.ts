/** How a list of stocks is filtered and sorted, for `list-stocks` and the navigation state. */
import * as z from "zod";
import { wellFormed } from "../plain-text.ts";
import { Currency } from "./instrument.ts";
import { StockStatus } from "./stock.ts";
import { isStockField, STOCK_FIELD_KEYS } from "./stock-field-keys.ts";
import { isSortField, SORT_FIELDS } from "./stock-sorts.ts";
import { Tags } from "./stock-values.ts";

const SEARCH_REMEDY = "use at most 200 characters";
const SWITCH_REMEDY = "use true or false";

/** Fields that people write come first, then the derived ones. */
const SORTS = [
  ...STOCK_FIELD_KEYS.flatMap((field) => (isSortField(field) ? field : [])),
  ...SORT_FIELDS.filter((field) => !isStockField(field)),
];

export const SortField = z.enum(SORTS, {
  error: `use ${SORTS.slice(0, -1).join(", ")} or ${SORTS.at(-1)}`,
});
export type SortField = z.infer<typeof SortField>;

export const SortOrder = z.enum(["asc", "desc"], { error: "use asc or desc" });
export type SortOrder = z.infer<typeof SortOrder>;

/** The fields of a filter. A stock has to match all that are given; without any, every live stock matches. */
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
