/** The rows that did not get into the list, as text that can be mended and imported again. */
import { MAX_SOURCE_LENGTH } from "./import-limits.ts";
import type { ImportRow } from "./import-row.ts";
import { isJson } from "./read-json.ts";

/** From the text that was imported, so that nothing is cut; a table's header comes first. */
export const leftoverText = (text: string, rows: readonly ImportRow[], left: readonly ImportRow[]): string => {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (isJson(plain)) return leftoverJson(plain, left);
  const lines = plain.split("\n");
  const header = rows.filter((row) => row.kind === "skipped" && row.reason === "Header.");
  return [...header, ...left]
    .map(({ line, lastLine, source }) =>
      // Several entries can share a line; only what is too long to be kept whole is taken from there.
      source.length < MAX_SOURCE_LENGTH ? source : lines.slice(line - 1, lastLine).join("\n"),
    )
    .join("\n");
};

const leftoverJson = (text: string, left: readonly ImportRow[]): string => {
  const value: unknown = JSON.parse(text);
  const items: unknown = typeof value === "object" && value !== null && "stocks" in value ? value.stocks : value;
  const stocks = Array.isArray(items) ? left.map(({ line }): unknown => items[line - 1]) : [];
  return JSON.stringify({ stocks }, null, 2);
};
