/** A row's cells as a stock to add. What the server alone can judge, such as an ISIN, is left to its dry run. */
import { CURRENCY_CODES, currencyCode, DEFAULT_CURRENCY } from "../../../contract/currency-codes.ts";
import type { AssetType } from "../../../contract/stock.ts";
import type { StockDraft } from "../../../contract/stock-draft.ts";
import type { Separators } from "../../format/separators.ts";
import { readListedSymbol } from "../listed-symbol.ts";
import { marketCode } from "../market-prefixes.ts";
import { type AmountCell, readAmountCell } from "./amount-cell.ts";
import { readAssetType } from "./asset-type-cell.ts";
import { unguardCell } from "./formula-guard.ts";
import { AMOUNT_FIELDS, type AmountField, FIELD_LABELS, type ImportField } from "./import-field.ts";
import type { ImportOutcome } from "./import-row.ts";
import { CASH_REASON, isCash } from "./is-cash.ts";
import { splitForeignTags, splitTags } from "./tag-cell.ts";

export type CellReader = {
  readonly cell: (field: ImportField) => string;
  readonly separators: (field: AmountField) => Separators;
  /** Our own export is taken at its word; other files are helped: markets by name, prices that say no source. */
  readonly isOwn: boolean;
  /** Of rows that name none. */
  readonly currency: string | undefined;
};

/** A draft, or why there is none. Cells that cannot be kept are named in the draft's notes. */
export const draftOfCells = (reader: CellReader): ImportOutcome => {
  const text = (field: ImportField): string | undefined => unguardCell(reader.cell(field)).trim() || undefined;
  const symbolCell = text("symbol") ?? "";
  if (isCash(symbolCell)) return { kind: "skipped", reason: CASH_REASON };
  const listed = readListedSymbol(symbolCell);
  if ("problem" in listed) return problem(symbolCell === "" ? "symbol: there is none on this line" : listed.problem);
  const currency = currencyOf(text("currency") ?? reader.currency);
  if (currency === null) return problem("currency: use a currency code such as USD, EUR or GBX");
  const watched = readWatched(text("watched"));
  if (watched === null) return problem("watched: use yes or no");
  const amounts = new Map(AMOUNT_FIELDS.map((field) => [field, readAmount(field, currency, reader)]));
  const problems = [...amounts].flatMap(([field, amount]) =>
    amount.problem === undefined ? [] : [`${field}: ${amount.problem}`],
  );
  if (problems.length > 0) return problem(problems.join(" "));
  const notes = listed.note === undefined ? [] : [listed.note];
  const kept = keepAmounts(amounts, notes);
  const exchange = readExchange(text("exchange"), reader.isOwn, notes) ?? listed.exchange;
  const assetType = assetTypeOf(text("assetType"), notes);
  const tags = tagsOf(text("tags"), reader.isOwn);
  const draft: StockDraft = {
    symbol: listed.symbol,
    ...present("name", text("name")),
    ...present("exchange", exchange),
    ...present("isin", text("isin")?.toUpperCase()),
    ...(assetType === undefined ? {} : { assetType }),
    ...present("currency", currency),
    ...kept,
    ...(watched === undefined ? {} : { watched }),
    ...priceFacts(text("lastPriceAt"), text("lastPriceSource"), kept.lastPrice !== undefined, reader.isOwn, notes),
    ...present("sector", text("sector")),
    ...(tags.length === 0 ? {} : { tags }),
    ...present("notes", text("notes")),
  };
  return { kind: "draft", draft, notes };
};

const problem = (text: string): ImportOutcome => ({ kind: "problem", problem: text });

const present = <Field extends string>(field: Field, value: string | undefined): Partial<Record<Field, string>> => {
  const fields: Partial<Record<Field, string>> = {};
  if (value !== undefined) fields[field] = value;
  return fields;
};

/** Null when there is one that is none. */
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

const readAmount = (field: AmountField, currency: string | undefined, reader: CellReader): AmountCell =>
  readAmountCell(
    reader.cell(field),
    reader.separators(field),
    field === "quantity" ? undefined : (currency ?? DEFAULT_CURRENCY),
  );

type Amounts = Partial<Record<AmountField, string>>;

/** Amounts that the rules between fields let stand. */
const keepAmounts = (amounts: ReadonlyMap<AmountField, AmountCell>, notes: string[]): Amounts => {
  const isHeld = (amounts.get("quantity")?.decimal ?? "0") !== "0";
  const kept: Amounts = {};
  for (const [field, { decimal }] of amounts) {
    if (decimal === undefined) continue;
    if (field === "avgCost" && !isHeld) notes.push("The average cost is left out: it needs a quantity above 0.");
    else if (field.startsWith("target") && decimal === "0") notes.push(`${FIELD_LABELS[field]} 0 is left out.`);
    else kept[field] = decimal;
  }
  return kept;
};

const readExchange = (cell: string | undefined, isOwn: boolean, notes: string[]): string | undefined => {
  if (cell === undefined || isOwn) return cell;
  const code = marketCode(cell) ?? (/^[A-Z0-9]{4}$/.test(cell) ? cell : undefined);
  if (code === undefined) notes.push(`${cell.slice(0, 20)} is no market code; the exchange is left empty.`);
  return code;
};

const assetTypeOf = (cell: string | undefined, notes: string[]): AssetType | undefined => {
  if (cell === undefined) return undefined;
  const type = readAssetType(cell);
  if (type === undefined) notes.push(`Type ${cell.slice(0, 20)} is taken as other.`);
  return type ?? "other";
};

const tagsOf = (cell: string | undefined, isOwn: boolean): string[] =>
  cell === undefined ? [] : isOwn ? splitTags(cell) : splitForeignTags(cell);

/** When and from where the price is. A day alone stands for its beginning in UTC. */
const priceFacts = (
  at: string | undefined,
  source: string | undefined,
  hasPrice: boolean,
  isOwn: boolean,
  notes: string[],
): Pick<StockDraft, "lastPriceAt" | "lastPriceSource"> => {
  if (!hasPrice) return {};
  const day = /^(\d{4})[-/](\d{2})[-/](\d{2})$/.exec(at ?? "");
  const time = day === null ? at : `${day[1]}-${day[2]}-${day[3]}T00:00:00Z`;
  const isTime = time !== undefined && /^\d{4}-\d{2}-\d{2}T/.test(time);
  if (time !== undefined && !isTime) notes.push("The price's time is left out: it is not written as 2026-11-20.");
  const from = source ?? (isOwn ? undefined : "import");
  return { ...(isTime ? { lastPriceAt: time } : {}), ...(from === undefined ? {} : { lastPriceSource: from }) };
};
