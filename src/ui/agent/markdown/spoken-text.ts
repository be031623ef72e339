/**
 * Markdown as it is read aloud: without its marks. Rough on purpose: the parser that renders what the screen shows is a file of its own,
 * and is not needed for this.
 */

/** Applied in this order: whole lines and their beginnings, then marks within a line, then escapes. */
const MARKS: readonly (readonly [mark: RegExp, instead: string])[] = [
  // Fences, rules, and the line below a table's head.
  [/^[ \t]*(?:`{3,}|~{3,}).*$/gm, ""],
  [/^(?=[|:*_ \t-]+$).*(?:---|\*\*\*|___|-\|).*$/gm, ""],
  [/^[ \t]*(?:> ?)+/gm, ""],
  [/^[ \t]*#{1,6}[ \t]+/gm, ""],
  [/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/gm, ""],
  [/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, ""],
  [/[ \t]+\|[ \t]+/g, ", "],
  [/!?\[([^\][]*)\]\([^()\s]*(?:[ \t]"[^"]*")?\)/g, "$1"],
  [/(?<!\\)(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, "$2"],
  [/(?<![\\*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s\\])\*(?!\*)/g, "$1"],
  [/(?<![\\\p{L}\p{N}_])_(?=[^\s_])([^_\n]+?)(?<=[^\s\\])_(?![\p{L}\p{N}_])/gu, "$1"],
  [/`+([^`]+)`+/g, "$1"],
  [/\\([!-/:-@[-`{-~])/g, "$1"],
  [/\n{2,}/g, "\n"],
];

/** The text without the marks of its markdown. A mark that is not closed stays. */
export const spokenText = (markdown: string): string =>
  MARKS.reduce((text, [mark, instead]) => text.replace(mark, instead), markdown).trim();
