/** What an import did not take, as a text that the next import reads as this one did. */
import { parseJson } from "../../../contract/parse-json.ts";
import { MAX_SOURCE_LENGTH } from "./read/import-choices.ts";
import { HEADS, type ImportRow } from "./read/import-row.ts";
import { isJson } from "./read/read-list.ts";

/**
 * The lines that were not imported, uncut, each below the header or section that it was below in `text`. Another table begins after an
 * empty line, without which its lines would be read as lines of the first table.
 */
export const leftoverText = (text: string, rows: readonly ImportRow[], left: readonly ImportRow[]): string => {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (isJson(plain)) return leftoverJson(plain, left);
  const lines = plain.split("\n");
  const isLeft = new Set(left);
  const copied: string[] = [];
  let head: ImportRow | undefined;
  for (const row of rows) {
    if (isHead(row)) head = row;
    if (!isLeft.has(row)) continue;
    if (head !== undefined) {
      if (copied.length > 0 && reasonOf(head) === HEADS.otherTable) copied.push("");
      copied.push(wholeOf(head, lines));
      head = undefined;
    }
    copied.push(wholeOf(row, lines));
  }
  return copied.join("\n");
};

const reasonOf = (row: ImportRow): string => (row.kind === "skipped" ? row.reason : "");

const isHead = (row: ImportRow): boolean => Object.values<string>(HEADS).includes(reasonOf(row));

/** Entries can share a line, so the whole line is used only when `source` was cut. */
const wholeOf = ({ line, lastLine, source }: ImportRow, lines: readonly string[]): string =>
  source.length < MAX_SOURCE_LENGTH ? source : lines.slice(line - 1, lastLine).join("\n");

const leftoverJson = (text: string, left: readonly ImportRow[]): string => {
  const value: unknown = parseJson(text);
  const items: unknown = typeof value === "object" && value !== null && "stocks" in value ? value.stocks : value;
  const stocks = Array.isArray(items) ? left.map(({ line }): unknown => items[line - 1]) : [];
  return JSON.stringify({ stocks }, null, 2);
};
