/** What a screen says it shows. Only a hint: what the agent sees is read again on the server (CONTRACT §5). */
import * as z from "zod";
import { StockId } from "./ids.ts";
import { SortField, stockFilterFields } from "./stock-filter.ts";
import { wellFormed } from "./well-formed.ts";

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

/** A dialog that can be open over a screen. */
const Dialog = z.enum(["detail", "add", "edit", "delete", "import", "filters", "help"], {
  error: "use detail, add, edit, delete, import, filters or help",
});

/** A sort as the address bar has it: `symbol`, `-gainPct`. */
const SortText = z
  .string(SORT_REMEDY)
  .refine((text) => SortField.safeParse(text.replace(/^-/, "")).success, { error: SORT_REMEDY });

const id = z.uuid(ID_REMEDY).pipe(StockId);

/** A screen's state, as `set-navigation` takes it. Nothing else can be stored. */
export const Navigation = z.strictObject({
  view: View,
  /** Within this app: starts with one `/`. */
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
