/** What a screen says it shows. Only a hint: the server reads the data for the agent itself (api.md §5). */
import * as z from "zod";
import { StockId } from "../ids.ts";
import { wellFormed } from "../plain-text.ts";
import { SortField, stockFilterFields } from "../stocks/stock-filter.ts";

const PATH_REMEDY = "use a path of this app such as /stocks?tab=watchlist";

const SORT_REMEDY = "use a sort of list-stocks, with - before it for descending";

const ID_REMEDY = "use a stock's id";

const IDS_REMEDY = "use a list of at most 100 stock ids";

/** A part of the app. */
export const View = z.enum(["chat", "stocks"], { error: "use chat or stocks" });

export type View = z.infer<typeof View>;

/** A tab of `/stocks`. */
export const StocksTab = z.enum(["all", "watchlist", "holdings"], { error: "use all, watchlist or holdings" });

export type StocksTab = z.infer<typeof StocksTab>;

/** A dialog that is open over a screen. */
const Dialog = z.enum(["detail", "add", "edit", "delete", "import", "filters", "help"], {
  error: "use detail, add, edit, delete, import, filters or help",
});

/** A sort as in the address bar: `symbol`, or `-gainPct` for descending. */
const SortText = z
  .string(SORT_REMEDY)
  .refine((text) => SortField.safeParse(text.replace(/^-/, "")).success, { error: SORT_REMEDY });

const id = z.uuid(ID_REMEDY).pipe(StockId);

/** The state of a screen, and all that `set-navigation` stores. */
export const Navigation = z.strictObject({
  view: View,
  /** Within this app, so it starts with exactly one `/`. */
  path: z
    .string(PATH_REMEDY)
    .overwrite(wellFormed)
    .regex(/^\/(?![/\\])[^\p{Cc}\s]*$/u, PATH_REMEDY)
    .nullable()
    .default(null),
  filters: z
    .strictObject({ tab: StocksTab.optional(), ...stockFilterFields })
    .nullable()
    .default(null),
  sort: SortText.nullable().default(null),
  /** The stock that is open. */
  stockId: id.nullable().default(null),
  dialog: Dialog.nullable().default(null),
  selectedIds: z.array(id, IDS_REMEDY).max(100, IDS_REMEDY).default([]),
});

export type Navigation = z.infer<typeof Navigation>;

/** The largest navigation state, as JSON in UTF-8. */
const MAX_NAVIGATION_BYTES = 2_048;

/** `set-navigation`: a screen reports what it shows (api.md §5). */
export const SetNavigationInput = Navigation.refine(
  (navigation) => new TextEncoder().encode(JSON.stringify(navigation)).length <= MAX_NAVIGATION_BYTES,
  { path: ["navigation"], error: "use at most 2 KB" },
);

export type SetNavigationInput = z.infer<typeof SetNavigationInput>;

export const SetNavigationOutput = z.object({ ok: z.literal(true) });

export type SetNavigationOutput = z.infer<typeof SetNavigationOutput>;
