/** What makes two drafts the same stock. */
import type { StockDraft } from "../../../contract/stock-draft.ts";

/** Symbol and exchange, as the list is unique on them (CONTRACT §5). A colon is in neither. */
export const stockKey = ({ symbol, exchange }: StockDraft): string => `${symbol}:${exchange ?? ""}`;
