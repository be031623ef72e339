/** The lines of an import and their outcomes. Every line has exactly one, so that none disappears silently. */
import type { SuffixGuess } from "../../../../contract/prices/symbol-suffixes.ts";
import type { StockDraft } from "../../../../contract/stocks/stock-values.ts";

/** Lines are counted from 1. A row spans several when a cell has line breaks; in lists several rows can share one. */
export type ImportPlace = {
  readonly line: number;
  readonly lastLine: number;
  /** The original text, cut to 500 characters. */
  readonly source: string;
};

export type ImportOutcome =
  /** Will be sent. `notes` say what was left out, combined or guessed; `guess` is what the symbol's ending said. */
  | {
      readonly kind: "draft";
      readonly draft: StockDraft;
      readonly notes: readonly string[];
      readonly guess?: SuffixGuess;
    }
  /** Another purchase of the same stock, combined with the draft of `intoLine`. */
  | { readonly kind: "merged"; readonly intoLine: number }
  /** A duplicate of `ofLine`; not sent. */
  | { readonly kind: "duplicate"; readonly ofLine: number }
  /** Not meant as a stock: a header, an empty line, cash. */
  | { readonly kind: "skipped"; readonly reason: string }
  /** Has to be fixed before it can be sent. */
  | { readonly kind: "problem"; readonly problem: string };

export type ImportRow = ImportPlace & ImportOutcome;

/** A row that can be sent. */
export type DraftRow = Extract<ImportRow, { kind: "draft" }>;

/** The reason for skipping an empty line. */
export const EMPTY_LINE = "Empty line.";

/** The reasons for skipping a line that decides how the lines below it are read. */
export const HEADS = {
  header: "Header.",
  /** For another table's header, and for all its lines unless they are holdings. */
  otherTable: "Not in the table that is read.",
  section: "Section heading; becomes a tag of the symbols below it.",
} as const;

/** The beginning of a note that a holding's line has no cost. Combined lines say it in other words. */
export const NO_COST = "No average cost on this line";
