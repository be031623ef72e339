/** Marked's tokenizer, limited to reading a text a few times. Texts that would take more are attacks, and are shown as written. */
import { Tokenizer, type Tokens } from "marked";

/** Most nested lists and quotes. Each level is lexed once more than the one around it. */
const MAX_NESTING = 24;

/** How often all of a text may be read as part of lists and quotes: once for each level, and again where lines continue lazily. */
const MAX_READINGS = 3;

/** How much may be read beyond that, for the sake of short texts, in UTF-16 units. */
const FREE_LENGTH = 100_000;

/** Longest list or quote, in UTF-16 units. What follows begins another. Marked copies it for each line that is added to it. */
const MAX_BLOCK = 10_000;

/** Longest heading that is underlined, in UTF-16 units: marked looks for such a heading at each line of a list's item. */
const MAX_UNDERLINED = 200;

/** Longest address of a definition, in UTF-16 units: any number of links can use the definition. */
const MAX_ADDRESS = 2_000;

/** How many cells a table may have beyond one for each UTF-16 unit of its text: short rows are filled up with empty cells. */
const FREE_CELLS = 200;

/** Reads each part of a text a limited number of times, and limits what comes of it by its length. Throws if a text needs more. */
export class BoundedTokenizer extends Tokenizer {
  #nesting = 0;
  #unread: number;

  /** `length` of the text, in UTF-16 units. */
  constructor(length: number) {
    super();
    this.#unread = MAX_READINGS * length + FREE_LENGTH;
  }

  override list(src: string): Tokens.List | undefined {
    const list = this.#nested(() => super.list(upToItem(MAX_BLOCK, src)));
    this.#spend(list?.raw);
    return list;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const lines = upToQuotedBlank(MAX_BLOCK, src);
    // All of the match counts as read, however little of it becomes the quote.
    this.#spend(this.rules.block.blockquote.exec(lines)?.[0]);
    return this.#nested(() => super.blockquote(lines));
  }

  /** After a paragraph, first checks whether HTML may begin there: otherwise the block would be read to its end for nothing. */
  override html(src: string): Tokens.HTML | undefined {
    const isText = this.lexer.state.lastToken?.type === "paragraph" && !this.rules.other.htmlBeginRegex(4).test(src);
    return isText ? undefined : super.html(src);
  }

  override def(src: string): Tokens.Def | undefined {
    const found = super.def(src);
    return found === undefined || found.href.length > MAX_ADDRESS ? undefined : found;
  }

  /** Reads the first two lines before the rows: they alone decide whether it is a table. */
  override table(src: string): Tokens.Table | undefined {
    const headEnd = lineEnd(src, lineEnd(src, 0));
    const head = super.table(src.slice(0, headEnd));
    if (head === undefined) return undefined;
    const whole = this.rules.block.table.exec(src)?.[0] ?? "";
    return super.table(src.slice(0, rowsEnd(whole, headEnd, head.header.length)));
  }

  override lheading(src: string): Tokens.Heading | undefined {
    return super.lheading(upTo(MAX_UNDERLINED, src));
  }

  /** As inherited. The override itself keeps marked from joining paragraphs where no table begins, which copies them each time. */
  override paragraph(src: string): Tokens.Paragraph | undefined {
    return super.paragraph(src);
  }

  #spend(read = ""): void {
    this.#unread -= read.length;
    if (this.#unread < 0) throw new Error("This text would be read too often.");
  }

  #nested<T>(read: () => T | undefined): T | undefined {
    if (this.#nesting >= MAX_NESTING) return undefined;
    this.#nesting += 1;
    try {
      return read();
    } finally {
      this.#nesting -= 1;
    }
  }
}

/** The lines of `text` that end within its first `length` units. */
const upTo = (length: number, text: string): string =>
  text.length > length ? text.slice(0, text.lastIndexOf("\n", length) + 1) : text;

/** The beginning of an item of a list, with its indentation. */
const ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Longest beginning of an item, in UTF-16 units. */
const ITEM_START = 14;

/** Like `upTo`, but ends before an item of the list that `text` begins with: the rest of half an item would be read as something else. */
const upToItem = (length: number, text: string): string => {
  const indent = text.length > length ? ITEM.exec(text)?.[1] : undefined;
  if (indent === undefined) return upTo(length, text);
  for (let at = text.lastIndexOf("\n", length); at > 0; at = text.lastIndexOf("\n", at - 1)) {
    if (ITEM.exec(text.slice(at + 1, at + 1 + ITEM_START))?.[1] === indent) return text.slice(0, at + 1);
  }
  return upTo(length, text);
};

/** A line of a quote, one without text, and one where code within it begins or ends. */
const QUOTED = /^ {0,3}>/;

const QUOTED_BLANK = /^[> \t]*\n$/;

const QUOTED_FENCE = /^[> \t]*(?:`{3}|~{3})/;

/** Like `upTo`, but if `text` begins with a quote that is longer, ends between two paragraphs of the quote, and not within code. */
const upToQuotedBlank = (length: number, text: string): string => {
  let [end, isCode, start] = [0, false, 0];
  for (; start < length; start = lineEnd(text, start)) {
    const line = text.slice(start, lineEnd(text, start));
    // The quote is shorter, or goes on without its mark.
    if (!QUOTED.test(line)) return upTo(length, text);
    if (QUOTED_FENCE.test(line)) isCode = !isCode;
    else if (!isCode && QUOTED_BLANK.test(line) && start + line.length <= length) end = start + line.length;
  }
  return end > 0 ? text.slice(0, end) : upTo(length, text);
};

/** The end of the line that begins at `start`, behind its line break. */
const lineEnd = (text: string, start: number): number => text.indexOf("\n", start) + 1 || text.length;

/** Where to end a table, so that its rows, once filled up, have hardly more cells than its text has UTF-16 units. */
const rowsEnd = (table: string, headEnd: number, columns: number): number => {
  let end = headEnd;
  for (let cells = columns; end < table.length && cells <= end + FREE_CELLS; cells += columns)
    end = lineEnd(table, end);
  return end;
};
