/** Edits and writes of the agent SDK, and what it makes of the file: seen with the real one, and foreseen for the person who is asked. */

/** `before`: undefined where there is no file. */
type EditCase = {
  readonly about: string;
  readonly before: string | undefined;
  readonly tool: "Edit" | "Write";
  readonly input: Readonly<Record<string, unknown>>;
  readonly after: string;
};

const edit = (about: string, before: string, [old_string, new_string]: readonly [string, string], after: string) =>
  ({ about, before, tool: "Edit", input: { old_string, new_string }, after }) as const;

const editAll = (about: string, before: string, texts: readonly [string, string], after: string) => {
  const one = edit(about, before, texts, after);
  return { ...one, input: { ...one.input, replace_all: true } };
};

const write = (about: string, before: string | undefined, content: string, after: string) =>
  ({ about, before, tool: "Write", input: { content }, after }) as const;

const MARK = "\uFEFF";

/** As many characters of a file tell the SDK how its lines end. */
const HEAD = 4_096;

/** All of them. */
export const EDIT_CASES: readonly EditCase[] = [
  edit("a line is deleted with its end", "one\ntwo\nthree\n", ["two", ""], "one\nthree\n"),
  edit("the end of a line is deleted with the line's end", "one two\nthree\n", [" two", ""], "onethree\n"),
  edit("the beginning of a line is deleted alone", "one two\n", ["one ", ""], "two\n"),
  edit("a line is named with its end", "one\ntwo\nthree\n", ["two\n", ""], "one\nthree\n"),
  edit("the last line has no end", "one\ntwo", ["two", ""], "one\n"),
  editAll("only what ends a line is deleted, where anything does", "a\nb a\na c\n", ["a", ""], "b a c\n"),
  edit("a line between returns", "one\r\ntwo\r\nthree\r\n", ["two", "2"], "one\r\n2\r\nthree\r\n"),
  edit("several lines between returns", "one\r\ntwo\r\nthree\r\n", ["one\ntwo", "1\n2"], "1\r\n2\r\nthree\r\n"),
  edit("a line between returns is deleted", "one\r\ntwo\r\nthree\r\n", ["two", ""], "one\r\nthree\r\n"),
  edit("a return among returns", "one\r\ntwo\r\n", ["two", "2\r\n3"], "one\r\n2\r\n3\r\n"),
  edit("a return among plain ends", "one\ntwo\n", ["two", "2\r\n3"], "one\n2\r\n3\n"),
  edit("a return alone", "one\rtwo\nx\n", ["one", "1"], "1\rtwo\nx\n"),
  edit("mostly returns", "one\r\ntwo\r\nthree\n", ["two", "2"], "one\r\n2\r\nthree\r\n"),
  edit("as many returns as plain ends", "one\r\ntwo\nthree", ["two", "2"], "one\n2\nthree"),
  edit(
    "returns at the end of the head",
    `\n${"é".repeat(HEAD - 5)}\r\n\r\n\r\nz`,
    ["z", "y"],
    `\r\n${"é".repeat(HEAD - 5)}\r\n\r\n\r\ny`,
  ),
  edit(
    "returns behind the head",
    `\n${"é".repeat(HEAD - 4)}\r\n\r\n\r\nz`,
    ["z", "y"],
    `\n${"é".repeat(HEAD - 4)}\n\n\ny`,
  ),
  edit(
    "a mark in the head",
    `${MARK}\n${"é".repeat(HEAD - 5)}\r\n\r\n\r\nz`,
    ["z", "y"],
    `${MARK}\n${"é".repeat(HEAD - 5)}\n\n\ny`,
  ),
  edit("a byte order mark", `${MARK}one\r\ntwo\r\n`, ["one\ntwo", "1\n2"], `${MARK}1\r\n2\r\n`),
  edit("signs that a pattern would read", "one\n", ["one", "$&$1$$"], "$&$1$$\n"),
  editAll("places that overlap", "aaa\n", ["aa", "b"], "ba\n"),
  {
    about: "a new file",
    before: undefined,
    tool: "Edit",
    input: { old_string: "", new_string: "a\r\n" },
    after: "a\r\n",
  },
  write("plain ends over returns", "one\r\ntwo\r\n", "1\n2\n", "1\n2\n"),
  write("returns into a new file", undefined, "1\r\n2\n", "1\r\n2\n"),
  write("over a byte order mark", `${MARK}one\n`, "two\n", `${MARK}two\n`),
  write("a byte order mark over another one", `${MARK}one\n`, `${MARK}two\n`, `${MARK}two\n`),
  write("nothing over a byte order mark", `${MARK}one\n`, "", ""),
];
