/** A bracketed class of RE2, item by item: ripgrep's own may be nested and subtracted. */
import { escapedItems, negatedClass, type Piece } from "./ripgrep-escapes.ts";

const REPLACEMENT = 0xfffd;

/** Reads the class that `rest` begins with. Undefined for one with names, or with items that are not plain. */
export const readClass = (rest: string): Piece | undefined => {
  const start = /^\[\^?/.exec(rest)?.[0] ?? "";
  let items = "";
  let index = start.length;
  // A bracket that comes first is an item.
  for (let isFirst = true; isFirst || rest[index] !== "]"; isFirst = false) {
    const item = itemAt(rest.slice(index));
    if (item === undefined) return undefined;
    items += item.written;
    index += item.length;
  }
  return { written: start === "[^" ? negatedClass(items) : `[${items}]`, length: index + 1 };
};

const itemAt = (rest: string): Piece | undefined => {
  const first = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (rest === "" || rest.startsWith("[:")) return undefined;
  if (first === "\\") {
    const items = escapedItems(rest[1] ?? "");
    // What a range from or to an escape means is not plain.
    return items === undefined || /^-[^\]]/.test(rest.slice(2)) ? undefined : { written: items, length: 2 };
  }
  const after = rest.slice(first.length);
  const last = /^-([^\]\\[])/u.exec(after)?.[1];
  if (last === undefined) return after.startsWith("-[") || after.startsWith("-\\") ? undefined : range(first, first, 0);
  return range(first, last, 1 + last.length);
};

const range = (first: string, last: string, more: number): Piece | undefined => {
  const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
  const isPlain = from >= 0x20 && from <= to && (to < REPLACEMENT || from > REPLACEMENT);
  if (!isPlain) return undefined;
  const written = from === to ? hex(from) : `${hex(from)}-${hex(to)}`;
  return { written, length: first.length + more };
};

const hex = (code: number): string => `\\x{${code.toString(16)}}`;
