/** Rows of stocks as a write shall leave them: values, the figures that follow, and what search and sorting need. */
import { foldText } from "../contract/fold-text.ts";
import { StockId } from "../contract/ids.ts";
import type { StockValues } from "../contract/stock.ts";
import { tagKey } from "../contract/stock-draft.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { deriveFigures } from "./derive-figures.ts";
import type { WriteMoment } from "./write-moment.ts";

/** The row of a new stock. */
export const newStock = (moment: WriteMoment, values: StockValues): StockRow => ({
  id: StockId.parse(moment.newId()),
  ownerEmail: moment.ownerEmail,
  ...columnsOf(values),
  version: 1,
  updatedVia: moment.via,
  mutationId: moment.mutationId,
  createdAt: moment.at,
  updatedAt: moment.at,
  deletedAt: null,
});

/** A stock's next version, with other values or its own. `deletedAt` says whether it is in the trash then. */
export const nextVersion = (
  moment: WriteMoment,
  before: StockRow,
  { values, deletedAt }: { readonly values?: StockValues; readonly deletedAt: string | null },
): StockRow => ({
  ...before,
  ...(values && columnsOf(values)),
  version: before.version + 1,
  updatedVia: moment.via,
  mutationId: moment.mutationId,
  updatedAt: moment.at,
  deletedAt,
});

const columnsOf = (values: StockValues) => ({
  ...values,
  ...deriveFigures(values),
  searchText: foldText(searchableText(values).join("\n")),
  nameKey: foldText(values.name),
  tagKeys: values.tags.map(tagKey),
});

/** One line each, so that no word of a search can span two fields. */
const searchableText = ({ symbol, name, isin, exchange, sector, tags }: StockValues): string[] =>
  [symbol, name, isin, exchange, sector, ...tags].filter((text) => text !== null);
