/**
 * What is shown of a text that others wrote, on which a person's consent rests. A character that cannot be seen, or that moves
 * others, is spelled out; long runs of blanks and of blank lines become a mark that counts them. The parts make up the text
 * again, so nothing of it is lost; the marks stand for blanks and hidden characters alone.
 */

/** `text` is the part as it was written; `count` says how often the same stands there, in characters or lines. */
export type TextPart =
  /** Shown as it is. */
  | { readonly kind: "plain"; readonly text: string }
  /** Letters that are written from right to left, in code: shown by themselves, or they would pull their neighbours along. */
  | { readonly kind: "turned"; readonly text: string }
  /** One character, once or in a row. */
  | { readonly kind: "hidden"; readonly text: string; readonly count: number }
  | { readonly kind: "blanks"; readonly text: string; readonly count: number }
  | { readonly kind: "blankLines"; readonly text: string; readonly count: number };

/** Blank lines that are shown as they are, in a row: more of them only push what follows out of sight. */
export const MAX_BLANK_LINES = 3;

/**
 * Runs of blanks that are shown as they are end at 32 characters or 8 tabs, deeper than code is indented; and so do combining
 * marks at 4 on a letter, more than any script has: they would be drawn over other lines.
 */
const LONG_RUN = String.raw`[ \t]{33,}|\t{9,}`;
const PILED_MARK = String.raw`(?<=\p{M}{4})\p{M}`;

/**
 * Control, format, private and unknown characters, halves of pairs, separators, whatever Unicode lets programs leave out, and
 * the blank of Braille. A plain blank, a tab and a line's end are none of them.
 */
const HIDDEN = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ \t\n]]`;

/** The blocks of scripts that are written from right to left. */
const TURNED = String.raw`[[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]--[\p{C}\p{Default_Ignorable_Code_Point}]]+`;

const BLANK_LINES = String.raw`(?<=^|\n)(?:[ \t]*\n){${MAX_BLANK_LINES + 1},}`;

const MARKED = `(?<blankLines>${BLANK_LINES})|(?<blanks>${LONG_RUN})|(?<hidden>(?<one>${HIDDEN}|${PILED_MARK})\\k<one>*)`;

const IN_TEXT = new RegExp(MARKED, "gv");
const IN_CODE = new RegExp(`${MARKED}|(?<turned>${TURNED})`, "gv");

/** The parts of `text`. In code the order of words is the order in which they are read, whatever their script. */
export const textParts = (text: string, isCode: boolean): readonly TextPart[] => {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(isCode ? IN_CODE : IN_TEXT)) {
    if (match.index > end) parts.push({ kind: "plain", text: text.slice(end, match.index) });
    parts.push(markedPart(match[0], match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: "plain", text: text.slice(end) });
  return parts;
};

const markedPart = (text: string, { blankLines, blanks, one, turned }: Partial<Record<string, string>>): TextPart => {
  if (turned !== undefined) return { kind: "turned", text };
  if (blanks !== undefined) return { kind: "blanks", text, count: text.length };
  if (blankLines !== undefined) return { kind: "blankLines", text, count: text.split("\n").length - 1 };
  return { kind: "hidden", text, count: text.length / (one ?? text).length };
};

/** A part as it is read: what stands in its place where it is not shown as it is. */
export const partWords = (part: TextPart): string => {
  switch (part.kind) {
    case "plain":
    case "turned":
      return part.text;
    case "hidden": {
      const name = `\\u{${part.text.codePointAt(0)?.toString(16)}}`;
      return part.count === 1 ? name : `${name}×${part.count}`;
    }
    case "blanks":
      return `⋯ ${part.count} blanks ⋯`;
    case "blankLines":
      return `${blankLinesWords(part.count)}\n`;
  }
};

/** The mark for blank lines. */
export const blankLinesWords = (count: number): string => `⋯ ${count} blank lines ⋯`;

/** The text as it is read, where only text can stand: a name for screen readers. */
export const shownText = (text: string): string => textParts(text, false).map(partWords).join("");
