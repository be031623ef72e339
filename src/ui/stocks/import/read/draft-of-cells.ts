/** Turns a row's cells into a stock to add. What only the server can check, such as an ISIN, is left to its dry run. */
import { CURRENCY_CODES, currencyCode } from "../../../../contract/stocks/currency-codes.ts";
import {
  DECIMAL_FIELDS,
  type DecimalField,
  pickFields,
  recordOf,
  STOCK_FIELD_KEYS,
  TEXT_FIELDS,
} from "../../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec, STOCK_FIELDS } from "../../../../contract/stocks/stock-fields.ts";
import type { AssetType, StockDraft } from "../../../../contract/stocks/stock-values.ts";
import type { Separators } from "../../../format/read-digits.ts";
import { marketCode, readListedSymbol } from "../../store/market-prefix.ts";
import { readSymbolCell } from "./by-isin.ts";
import {
  type AmountCell,
  CASH_REASON,
  isCash,
  isNoType,
  readAmountCell,
  readAssetType,
  readQuantityCell,
  splitForeignTags,
  splitTags,
  unguardCell,
} from "./cells.ts";
import { currencyOfPair, guessFor, sayGuess, sayPair } from "./guess-market.ts";
import { columnLabel, type ImportField } from "./import-field.ts";
import { type ImportOutcome, NO_COST } from "./import-row.ts";
import { whyNoStock } from "./not-stocks.ts";

export type CellReader = {
  readonly cell: (field: ImportField) => string;
  readonly separators: (field: DecimalField) => Separators;
  /** Whether the file is our own export, taken literally. In other files markets can have names, and prices come from the import. */
  readonly isOwn: boolean;
  /** Whether the file has a column of costs. If so, a note says where a cost is missing. */
  readonly hasCosts?: boolean;
  /** Whether a line with nothing but "CASH" is money, as in a broker's holdings. */
  readonly hasCash?: boolean;
  /** The currency of rows that do not name one and whose symbol's ending implies none. */
  readonly currency: string | undefined;
  /** The currency that the headers of prices name for such rows. A symbol's ending that implies another one is then ignored. */
  readonly currencyOfHeaders?: string | undefined;
  /** The currency of such rows whose symbol is on the London market. */
  readonly london?: string | undefined;
};

/** Every field of a stock, so that none is forgotten; undefined where the row has no value. */
type DraftCells = { readonly [Field in keyof StockDraft]-?: StockDraft[Field] | undefined } & Pick<
  StockDraft,
  "symbol"
>;

/** A draft, or the reason why the row has none. The notes name the cells that were left out. */
export const draftOfCells = (reader: CellReader): ImportOutcome => {
  const text = (field: ImportField): string | undefined => unguardCell(reader.cell(field)).trim() || undefined;
  const { symbol: symbolCell, isin } = readSymbolCell(text("symbol") ?? "", reader.isOwn);
  const reason = reader.isOwn ? isCash(symbolCell) && CASH_REASON : whyNoStock(text, reader.hasCash === true);
  if (reason) return { kind: "skipped", reason };
  const listed = readListedSymbol(symbolCell);
  if ("problem" in listed) return problem(symbolCell === "" ? "The symbol is missing on this line." : listed.problem);
  const { currencyOfHeaders } = reader;
  const ending = reader.isOwn ? undefined : guessFor(listed, text("exchange"), text("currency"), reader);
  const guess = ending?.currency === (currencyOfHeaders ?? ending?.currency) ? ending : undefined;
  const said = text("currency") ?? currencyOfHeaders ?? guess?.currency;
  const pair = reader.isOwn || said !== undefined ? undefined : currencyOfPair(listed.symbol);
  const currency = currencyOf(said ?? pair ?? reader.currency);
  if (currency === null) return problem("Currency: use a code such as USD, EUR or GBX.");
  const watched = readWatched(text("watched"));
  if (watched === null) return problem("Watched: use yes or no.");
  const amounts = recordOf(DECIMAL_FIELDS, (field) => readAmount(field, currency, reader));
  const problems = DECIMAL_FIELDS.flatMap((field) => {
    const why = amounts[field].problem;
    return why === undefined ? [] : [`${columnLabel(field)}: ${why}`];
  });
  if (problems.length > 0) return problem(problems.join(" "));
  const notes = [
    ...(listed.note === undefined ? [] : [listed.note]),
    ...(guess === undefined ? [] : [sayGuess(guess)]),
    ...(pair === undefined ? [] : [sayPair(listed.symbol, pair)]),
  ];
  const kept = keepAmounts(amounts, notes);
  if (!reader.isOwn && (kept.quantity ?? "0") !== "0") notes.push(...missingAmounts(reader, amounts));
  const exchange = readExchange(text("exchange"), reader.isOwn, notes) ?? listed.exchange ?? guess?.exchange;
  const assetType = assetTypeOf(text("assetType"), notes);
  const tags = tagsOf(text("tags"), reader.isOwn);
  const draft: DraftCells = {
    ...recordOf(TEXT_FIELDS, text),
    symbol: listed.symbol,
    exchange,
    isin: text("isin")?.toUpperCase() ?? isin,
    assetType,
    currency,
    ...kept,
    watched,
    ...priceFacts(text("lastPriceAt"), text("lastPriceSource"), kept.lastPrice !== undefined, reader.isOwn, notes),
    tags: tags.length === 0 ? undefined : tags,
  };
  return { kind: "draft", draft: withoutEmpty(draft), notes, ...(guess === undefined ? {} : { guess }) };
};

const problem = (text: string): ImportOutcome => ({ kind: "problem", problem: text });

/** Empty cells are left out, so that another row of the same stock can fill them. */
const withoutEmpty = (cells: DraftCells): StockDraft => ({
  ...pickFields(
    cells,
    STOCK_FIELD_KEYS.filter((field) => cells[field] !== undefined),
  ),
  symbol: cells.symbol,
});

/** Null for a cell that is not a currency code. */
const currencyOf = (cell: string | undefined): string | undefined | null => {
  if (cell === undefined) return undefined;
  const code = currencyCode(cell);
  return CURRENCY_CODES.has(code) ? code : null;
};

const readWatched = (cell: string | undefined): boolean | undefined | null => {
  if (cell === undefined) return undefined;
  if (/^(yes|y|true|1|x|watching)$/i.test(cell)) return true;
  return /^(no|n|false|0)$/i.test(cell) ? false : null;
};

const readAmount = (field: DecimalField, currency: string | undefined, reader: CellReader): AmountCell => {
  const [cell, separators] = [reader.cell(field), reader.separators(field)];
  return field === "quantity"
    ? readQuantityCell(cell, separators)
    : readAmountCell(cell, STOCK_FIELDS[field].unit, separators, currency);
};

/** The amounts that the rules between fields allow. The others are named in `notes`. A stock that was sold has no average cost any more. */
const keepAmounts = (amounts: Readonly<Record<DecimalField, AmountCell>>, notes: string[]) => {
  const quantity = amounts.quantity.decimal;
  return recordOf(DECIMAL_FIELDS, (field) => {
    const { decimal } = amounts[field];
    if (field === "avgCost" && (quantity ?? "0") === "0") {
      if (decimal !== undefined) notes.push("The average cost is left out: it needs a quantity above 0.");
      return quantity === undefined ? undefined : null;
    }
    if (fieldSpec(field).range === "more_than_zero" && decimal === "0") {
      notes.push(`${columnLabel(field)} 0 is left out.`);
      return undefined;
    }
    return decimal;
  });
};

/** Notes on what a holding's line should say but does not. An empty price is filled by a price source. */
const missingAmounts = (
  { cell, hasCosts = false }: CellReader,
  amounts: Readonly<Record<DecimalField, AmountCell>>,
): readonly string[] => {
  const [cost, price] = [cell("avgCost").trim(), cell("lastPrice").trim()];
  return [
    ...(hasCosts && amounts.avgCost.decimal === undefined ? [`${NO_COST}${saying(cost)}`] : []),
    ...(price !== "" && amounts.lastPrice.decimal === undefined ? [`No last price on this line${saying(price)}`] : []),
  ];
};

const saying = (cell: string): string => (cell === "" ? "." : `: it says “${cell}”.`);

const readExchange = (cell: string | undefined, isOwn: boolean, notes: string[]): string | undefined => {
  if (cell === undefined || isOwn) return cell;
  const code = marketCode(cell) ?? (/^[A-Z0-9]{4}$/.test(cell) ? cell : undefined);
  if (code === undefined) notes.push(`${cell.slice(0, 20)} is not a market code; the exchange is left empty.`);
  return code;
};

const assetTypeOf = (cell: string | undefined, notes: string[]): AssetType | undefined => {
  if (cell === undefined || isNoType(cell)) return undefined;
  const type = readAssetType(cell);
  if (type === undefined) notes.push(`Unknown type ${cell.slice(0, 20)}: imported as other.`);
  return type ?? "other";
};

const tagsOf = (cell: string | undefined, isOwn: boolean): string[] =>
  cell === undefined ? [] : isOwn ? splitTags(cell) : splitForeignTags(cell);

/** The time and the source of the price. A date without a time means the start of that day in UTC. */
const priceFacts = (
  at: string | undefined,
  source: string | undefined,
  hasPrice: boolean,
  isOwn: boolean,
  notes: string[],
): Pick<DraftCells, "lastPriceAt" | "lastPriceSource"> => {
  if (!hasPrice) return { lastPriceAt: undefined, lastPriceSource: undefined };
  const day = /^(\d{4})[-/](\d{2})[-/](\d{2})$/.exec(at ?? "");
  const time = day === null ? at : `${day[1]}-${day[2]}-${day[3]}T00:00:00Z`;
  const isTime = time !== undefined && /^\d{4}-\d{2}-\d{2}T/.test(time);
  if (time !== undefined && !isTime) notes.push("The time of the price is left out: write it as 2026-11-20.");
  return { lastPriceAt: isTime ? time : undefined, lastPriceSource: source ?? (isOwn ? undefined : "import") };
};
