/** Shows text that others wrote. Marks for hidden characters look different from any text, so nobody can fake one. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

/** `text` is the part as written; `count` is how many equal characters or lines it has. */
type TextPart =
  /** Shown as it is. */
  | { readonly kind: "plain"; readonly text: string }
  /** Right-to-left letters in code: isolated, because they would reorder their neighbours. */
  | { readonly kind: "turned"; readonly text: string }
  /** One hidden character, once or several times in a row. */
  | { readonly kind: "hidden"; readonly text: string; readonly count: number }
  | { readonly kind: "blanks"; readonly text: string; readonly count: number }
  | { readonly kind: "blankLines"; readonly text: string; readonly count: number };

/** Blank lines in a row that are shown as they are. More would only push what follows out of sight. */
export const MAX_BLANK_LINES = 3;

/**
 * Blanks are shown as they are up to 32 characters or 8 tabs, which is deeper than code is indented. Combining marks are
 * shown up to 4 on a letter, more than any script needs: further ones would be drawn over other lines.
 */
const LONG_RUN = String.raw`[ \t]{33,}|\t{9,}`;

const PILED_MARK = String.raw`(?<=\p{M}{4})\p{M}`;

/**
 * Control, format, private-use and unassigned characters, lone surrogates, separators, default-ignorable characters, and
 * the Braille blank; but not a plain space, a tab or a line feed.
 */
const HIDDEN = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ \t\n]]`;

/** The blocks of right-to-left scripts. */
const TURNED = String.raw`[[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]--[\p{C}\p{Default_Ignorable_Code_Point}]]+`;

const BLANK_LINES = String.raw`(?<=^|\n)(?:[ \t]*\n){${MAX_BLANK_LINES + 1},}`;

const MARKED = `(?<blankLines>${BLANK_LINES})|(?<blanks>${LONG_RUN})|(?<hidden>(?<one>${HIDDEN}|${PILED_MARK})\\k<one>*)`;

const IN_TEXT = new RegExp(MARKED, "gv");

const IN_CODE = new RegExp(`${MARKED}|(?<turned>${TURNED})`, "gv");

/** Hidden characters where they are of use: within emoji, and in words in Persian and the scripts of India. */
const JOINING = String.raw`(?<=\p{Emoji})\uFE0F|(?<=[\p{ExtPict}\p{EMod}]\uFE0F?)\u200D(?=\p{ExtPict})|(?<=[\p{L}\p{M}])[\u200C\u200D]`;

const IN_PROSE = new RegExp(`(?!${JOINING})(?:${MARKED})`, "gv");

/**
 * Splits a text that others wrote, and on which a person's consent may rest, into parts to show. Characters that cannot be
 * seen, or that reorder others, are spelled out; long runs of blanks and blank lines become a mark with their count. The
 * parts joined give the text again. In code, words are shown in the order they are read by a machine, whatever the script.
 * `isProse`: nobody consents to it, and emoji and words keep the characters that shape them.
 */
export const textParts = (text: string, isCode: boolean, isProse = false): readonly TextPart[] => {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(isCode ? IN_CODE : isProse ? IN_PROSE : IN_TEXT)) {
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

/** A part as a person reads it: itself, or the mark that replaces it. */
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

/** The text with its marks as a plain string, such as a name for screen readers. */
export const shownText = (text: string, isProse = false): string =>
  textParts(text, false, isProse).map(partWords).join("");

type ForeignTextProps = {
  readonly text: string;
  /** A command, a path, a line of a file: shown strictly from left to right. */
  readonly isCode?: boolean;
  /** Nobody consents to it: emoji and words keep the characters that shape them. */
  readonly isProse?: boolean;
};

/** Isolated: nothing in it can reorder what is around it. */
export const ForeignText = ({ text, isCode = false, isProse = false }: ForeignTextProps) => (
  <bdi class="foreign" dir={isCode ? "ltr" : undefined}>
    {useMemo(() => showAll(textParts(text, isCode, isProse), asItIs), [text, isCode, isProse])}
  </bdi>
);

/** The same without an element around it. Not a component: a diff has thousands of lines. */
export const showParts = (text: string, isCode: boolean, showPlain: ShowPlain = asItIs): ComponentChildren =>
  showAll(textParts(text, isCode), showPlain);

const showAll = (parts: readonly TextPart[], showPlain: ShowPlain): ComponentChildren =>
  parts.map((part, index) => showPart(part, index, showPlain));

/** Shows text in which nothing is hidden. It may colour the text, but never change it. */
type ShowPlain = (text: string) => ComponentChildren;

const asItIs: ShowPlain = (text) => text;

const showPart = (part: TextPart, index: number, showPlain: ShowPlain): ComponentChildren => {
  switch (part.kind) {
    case "plain":
      return showPlain(part.text);
    case "turned":
      return <bdi key={index}>{part.text}</bdi>;
    case "blankLines":
      // The line feed comes after the mark. Within it, the mark's frame would continue on the next line.
      return [<Mark key={index}>{blankLinesWords(part.count)}</Mark>, "\n"];
    default:
      return <Mark key={index}>{partWords(part)}</Mark>;
  }
};

/** Replaces something that is not shown as it is. */
export const Mark = ({ children }: { readonly children: string }) => <span class="unseen">{children}</span>;
