/** A new text or amount needs no code in the form. A second field of any other kind does not compile until the form handles it. */
type StockFieldKind = "symbol" | "text" | "currency" | "choice" | "decimal" | "flag" | "tags" | "time";

/** What the table of stock fields says of one field. */
export type StockFieldSpec = {
  readonly kind: StockFieldKind;
  /** The label in the form and the history. */
  readonly label: string;
  /** The header of the export, where it differs from the label. */
  readonly column?: string;
  /** The label on a permission card, where it differs from the header of the export. */
  readonly card?: string;
  /** How it is named within a sentence, where that is not its label on a card in lower case. */
  readonly inSentence?: string;
  /** Other headers that an import recognizes, folded or not, separated by commas. */
  readonly spellings: string;
  /** Null until somebody sets it. The other fields have defaults. */
  readonly isNullable?: true;
  /** `list-stocks` can sort by it: `stock-sorts.ts` says how. */
  readonly isSortable?: true;
  /** Set by the server along with the price, so not in the form. */
  readonly isStamped?: true;
  /** Kept in upper case. */
  readonly isUpperCase?: true;
  /** Of decimals: what they count, and their lower bound. */
  readonly unit?: string;
  readonly range?: "zero_or_more" | "more_than_zero";
  /** A line of help below the field. */
  readonly hint?: string;
  /** Added after the first release. Older exports lack the column, and are still recognized as ours. */
  readonly isLater?: true;
};
