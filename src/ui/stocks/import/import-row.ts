/** What becomes of each line of an import. Every line has exactly one outcome, so that nothing goes missing unsaid. */
import type { StockDraft } from "../../../contract/stock-draft.ts";

/** Lines count from 1. A row has several where a cell has line breaks; several rows can share one, in lists. */
export type ImportPlace = {
  readonly line: number;
  readonly lastLine: number;
  /** The text as it was, cut to 500 characters. */
  readonly source: string;
};

export type ImportOutcome =
  /** To be sent. `notes` say what was left out or put together. */
  | { readonly kind: "draft"; readonly draft: StockDraft; readonly notes: readonly string[] }
  /** A further purchase of the same stock, counted into the draft of `intoLine`. */
  | { readonly kind: "merged"; readonly intoLine: number }
  /** The same stock as on `ofLine`; not sent. */
  | { readonly kind: "duplicate"; readonly ofLine: number }
  /** No stock and none meant: a header, an empty line, cash. */
  | { readonly kind: "skipped"; readonly reason: string }
  /** Cannot be sent as it is. */
  | { readonly kind: "problem"; readonly problem: string };

export type ImportRow = ImportPlace & ImportOutcome;

/** A row that can be sent. */
export type DraftRow = Extract<ImportRow, { kind: "draft" }>;

/** Reason for skipping a line without anything on it. */
export const EMPTY_LINE = "Empty line.";
