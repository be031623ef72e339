/**
 * Makes markdown that is still being written fit to show: what may become a mark is held back, and what was opened is
 * closed. `**bo`, for example, is bold at once, instead of showing two stars that vanish a moment later.
 */

/** Completes the open end of a text, adding or removing only a few characters. */
export const mendTail = (tail: string): string => {
  const start = tail.lastIndexOf("\n") + 1;
  const before = tail.slice(0, start);
  const line = tail.slice(start);
  const fence = openFence(before);
  if (fence !== undefined) return isBegunFence(line, fence) ? before : tail;
  // Until its second line is there, a table cannot be told from a line with bars.
  if (isTableHead(before, line)) return before.slice(0, headStart(before));
  if (MARKER_ONLY.test(line)) return before;
  if (line.startsWith("|") || FENCE.test(line)) return tail;
  return before + mendLine(line);
};

/** A line that so far is only the beginning of a bullet, a heading, a rule, a fence or a quote. */
const MARKER_ONLY = /^\s*(?:[-=+*_#>`~|]+|\d{1,9}[.)])\s*$/;

const FENCE = /^\s*(?:[-*+>]\s+)*(`{3,}|~{3,})(.*)$/;

/** The marks of a code block that is still open at the end of `text`, which consists of whole lines. */
const openFence = (text: string): string | undefined => {
  if (!text.includes("```") && !text.includes("~~~")) return undefined;
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const [, marks, info = ""] = FENCE.exec(line) ?? [];
    if (marks === undefined) continue;
    if (open === undefined) open = info.includes("`") ? undefined : marks;
    else if (marks.startsWith(open) && info.trim() === "") open = undefined;
  }
  return open;
};

const isBegunFence = (line: string, fence: string): boolean => {
  const marks = line.trim();
  return marks !== "" && marks === fence.charAt(0).repeat(marks.length);
};

const isTableHead = (before: string, line: string): boolean =>
  /^\|?[-:|\s]*$/.test(line) && /^\|.*\|\s*$/.test(before.slice(headStart(before)).trimEnd()) && isFirstLine(before);

const headStart = (before: string): number => before.lastIndexOf("\n", before.length - 2) + 1;

/** The first row of a table follows a blank line; the others follow a row. */
const isFirstLine = (before: string): boolean => {
  const start = headStart(before);
  return start === 0 || before.slice(0, start).endsWith("\n\n");
};

const mendLine = (line: string): string => {
  const code = withoutEnd(line, "`");
  const backticks = backticksLeftOpen(code);
  if (backticks !== "") return code + backticks;
  const words = code
    // An incomplete address: show its words, as the link will show them.
    .replace(/!?\[([^[\]]*)\]\([^()\s]*$/, "$1")
    .replace(/!?\[([^[\]]*)\]?$/, "$1");
  // These may open or close something; the next character decides.
  const text = withoutEnd(words, "*_~");
  const closers = closersOf(text);
  return closers === "" ? text : text.trimEnd() + closers;
};

/** `text` without the `marks` at its end. A regular expression would try each run of marks from each of its characters. */
const withoutEnd = (text: string, marks: string): string => {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

const backticksLeftOpen = (text: string): string => {
  let open = "";
  for (const [marks] of text.matchAll(/`+/g)) {
    if (open === "") open = marks;
    else if (open === marks) open = "";
  }
  return open;
};

/** Most marks left open at once. More are not meant as emphasis: closing them would be slow, and would turn them into it. */
const MAX_OPEN = 4;

const EMPHASIS = /\*{1,3}|~~|_{1,3}/g;

/** The marks that close the emphasis left open in `text`, innermost first. */
const closersOf = (text: string): string => {
  const plain = text.replace(/(?<!`)(`+)(?!`)[^`]+\1|\\./g, (part) => " ".repeat(part.length));
  const open: string[] = [];
  for (const match of plain.matchAll(EMPHASIS)) {
    const [marks] = match;
    const before = plain.charAt(match.index - 1);
    const after = plain.charAt(match.index + marks.length);
    if (open.at(-1) === marks && /\S/.test(before)) open.pop();
    // A single mark after a letter is a product or a name far more often than emphasis.
    else if (/\S/.test(after) && !(marks.length === 1 && /[\p{L}\p{N}]/u.test(before))) open.push(marks);
  }
  return open.length > MAX_OPEN ? "" : open.reverse().join("");
};
