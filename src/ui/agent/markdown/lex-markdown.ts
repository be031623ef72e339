/**
 * Reads markdown with marked, in time proportional to the text. Most of marked's expressions look ahead as far as the paragraph
 * goes, from each mark in it; so a paragraph is read in pieces, and the more marks it has the smaller they are.
 */
import { Lexer, type Links, type Token } from "marked";
import { BoundedTokenizer } from "./bounded-tokenizer.ts";
import { withoutFormulas } from "./math-text.ts";

/**
 * Lexes `text` into marked's block tokens (GitHub flavour), in time proportional to the text. Their `raw` texts joined give
 * the text again. `links` are definitions from before it. Text that marked fails on becomes one token of an unknown kind.
 * Never throws.
 */
export const lexMarkdown = (text: string, links: Links = {}): readonly Token[] => {
  try {
    const tokenizer = new BoundedTokenizer(text.length);
    const lexer = new BoundedLexer({ gfm: true, tokenizer });
    tokenizer.rules = { ...tokenizer.rules, ...RULES };
    Object.assign(lexer.tokens.links, links);
    return lexer.lex(text);
  } catch {
    return [{ type: "unread", raw: text }];
  }
};

/**
 * The rule, with at most 64 characters before the `@` of a mail address (RFC 5321 §4.5.3.1.1). Without that limit, it would read to the
 * end of a long word from each of the word's characters.
 */
const withShortNames = (rule: RegExp): RegExp =>
  new RegExp(rule.source.replaceAll("]+@", "]{1,64}@").replaceAll("]+(@)", "]{1,64}(@)"), rule.flags);

/** The rule of a paragraph, which ends where a table follows. The table's head is enough to see that, without reading all of its rows. */
const withoutRows = (paragraph: RegExp, table: RegExp): RegExp => {
  const rows = table.source.slice(table.source.indexOf(String.raw`(?:\n(`));
  return new RegExp(
    paragraph.source.replace(rows, () => String.raw`(?:\n|$)`),
    paragraph.flags,
  );
};

const { block, inline } = { block: Lexer.rules.block.gfm, inline: Lexer.rules.inline.gfm };

const RULES = {
  block: { ...block, paragraph: withoutRows(block.paragraph, block.table) },
  inline: { ...inline, text: withShortNames(inline.text), url: withShortNames(inline.url) },
};

/** Longest piece of a paragraph, in UTF-16 units. Hardly any paragraph is longer. */
const MAX_PIECE = 2_000;

/** Most emphasis marks in a piece, times its length: for each mark, marked searches all of the piece for a partner. */
const MAX_SEARCH = 100_000;

const MARK = /[*_~]/g;

/** Reads a long paragraph in pieces, each as a paragraph of its own, and formulas as text. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const src = withoutFormulas(source);
    if (!isLarge(src)) return super.inlineTokens(src, tokens);
    const cut = cutOf(src);
    this.inlineTokens(src.slice(0, cut), tokens);
    return this.inlineTokens(src.slice(cut), tokens);
  }
}

const isLarge = (src: string): boolean =>
  src.length > MAX_PIECE || (src.match(MARK)?.length ?? 0) * src.length > MAX_SEARCH;

/** Where to cut a text: near its middle, after a line or a sentence, otherwise after a word, and otherwise exactly in the middle. */
const cutOf = (src: string): number => {
  const middle = Math.floor(src.length / 2);
  const before = src.slice(0, middle);
  const found = ["\n", ". ", " "].map((end) => before.lastIndexOf(end) + end.length).find((cut) => cut > middle / 2);
  return found ?? middle;
};
