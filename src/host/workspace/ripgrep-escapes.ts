/** Escapes of RE2 as sets that ripgrep reads alike: RE2's are of ASCII, ripgrep's own are of Unicode. */

/** A part of a pattern: what it is for ripgrep, and its length for us. */
export type Piece = { readonly written: string; readonly length: number };

const ITEMS: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\x09\\x0C\\x0D\\x20",
};

const CONTROLS: Readonly<Record<string, string>> = { t: "\\x09", f: "\\x0C", v: "\\x0B", r: "\\x0D", a: "\\x07" };

/** What a class holds for `\` and this character; undefined when that is not known for certain. */
export const escapedItems = (character: string): string | undefined => {
  if (/^[!-/:-@[-`{-~]$/.test(character)) return `\\x{${character.charCodeAt(0).toString(16)}}`;
  return ITEMS[character] ?? CONTROLS[character];
};

/** A class of everything but `items`. Bytes that are no UTF-8 read as a character of their own, so they are in it. */
export const negatedClass = (items: string): string => `(?:[^\\x0A${items}]|(?-u:[\\x80-\\xFF]){1,4})`;

/** What `\` and this character stand for on their own. */
export const escapedSet = (character: string): string | undefined => {
  const items = escapedItems(character);
  if (items !== undefined) return `[${items}]`;
  const negated = /^[DWS]$/.test(character) ? ITEMS[character.toLowerCase()] : undefined;
  return negated === undefined ? undefined : negatedClass(negated);
};
