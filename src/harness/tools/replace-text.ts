/** Finds the text an edit names and replaces it: exactly, and only where there is no doubt which place is meant. */

/** What an edit asks for. `oldText` is not empty. */
export type TextEdit = { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean };

/** Places that a message names. */
const MAX_NAMED_LINES = 5;

/**
 * The text after the edit, or what is wrong in words the model can act on. Where a file's lines end with CRLF, an edit in
 * plain newlines means those too: read_file shows no carriage returns.
 */
export const replaceText = (text: string, edit: TextEdit): { text: string } | { problem: string } => {
  if (edit.oldText === edit.newText) return { problem: "newText: it equals oldText, so nothing would change." };
  const exact = replaceExactly(text, edit);
  if (exact !== undefined) return exact;
  const { oldText, newText } = edit;
  const inFile = text.includes("\r\n")
    ? replaceExactly(text, { ...edit, oldText: withReturns(oldText), newText: withReturns(newText) })
    : undefined;
  return inFile ?? { problem: `oldText: it is not in the file. ${hintFor(text, oldText)}` };
};

/** Undefined when `oldText` is not there at all. */
const replaceExactly = (text: string, { oldText, newText, replaceAll }: TextEdit) => {
  const places = placesOf(text, oldText);
  const [first] = places;
  if (first === undefined) return undefined;
  if (replaceAll) return { text: text.split(oldText).join(newText) };
  if (places.length === 1) return { text: text.slice(0, first) + newText + text.slice(first + oldText.length) };
  const lines = places.slice(0, MAX_NAMED_LINES).map((place) => lineOf(text, place));
  const more = places.length > MAX_NAMED_LINES ? ", …" : "";
  return {
    problem: `oldText: it is in the file ${places.length} times (lines ${lines.join(", ")}${more}). Take more of the text around the place you mean, or set replaceAll to change all of them.`,
  };
};

const placesOf = (text: string, part: string): number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
};

const lineOf = (text: string, place: number): number => text.slice(0, place).split("\n").length;

const withReturns = (text: string): string => text.replaceAll(/\r?\n/g, "\r\n");

const LINE_NUMBERS = /^ *\d+\t/;

const hintFor = (text: string, oldText: string): string => {
  if (LINE_NUMBERS.test(oldText)) return "Leave out the line numbers and the tab behind them, which read_file adds.";
  if (withoutSpace(text).includes(withoutSpace(oldText))) {
    return "It differs in white space only: copy indentation, tabs and line breaks as read_file shows them.";
  }
  if (text.toLowerCase().includes(oldText.toLowerCase())) return "It differs in upper and lower case only.";
  const firstLine = oldText.split("\n").find((line) => line.trim() !== "") ?? "";
  const at = text.split("\n").findIndex((line) => line.trim() === firstLine.trim());
  return at === -1
    ? "Read the file again: it may have changed, or be another one."
    : `Its first line is line ${at + 1}, but what follows differs. Read the file again from there.`;
};

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, "");
