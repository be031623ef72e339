/** Markdown text as marked's block tokens (GitHub flavour), in time that stays in proportion to the text. */
import { Lexer, type Links, type Token, Tokenizer, type Tokens } from "marked";

/**
 * The blocks of `text`, whose `raw` texts make it up again. `links` are definitions that stood before it. Text that
 * marked cannot take is one token of an unknown kind. Never throws.
 */
export const lexMarkdown = (text: string, links: Links = {}): readonly Token[] => {
  try {
    const lexer = new BoundedLexer({ gfm: true, tokenizer: new BoundedTokenizer() });
    Object.assign(lexer.tokens.links, links);
    return lexer.lex(text);
  } catch {
    return [{ type: "unread", raw: text }];
  }
};

/** Lists and quotes within each other. Each level is read once more than the one around it. */
const MAX_NESTING = 24;

/** Emphasis marks in one paragraph. marked looks for the partner of each through all of them. */
const MAX_MARKS = 4_000;

/** A paragraph with more marks than any person's is text. */
class BoundedLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= MAX_MARKS || (src.match(/[*_~]/g)?.length ?? 0) <= MAX_MARKS) {
      return super.inlineTokens(src, tokens);
    }
    tokens.push({ type: "text", raw: src, text: src });
    return tokens;
  }
}

/** What is nested deeper than any person means it is text. */
class BoundedTokenizer extends Tokenizer {
  #nesting = 0;

  override list(src: string): Tokens.List | undefined {
    return this.#nested(() => super.list(src));
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(src));
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
