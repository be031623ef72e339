/**
 * A markdown text that grows: finished blocks are lexed and rendered once, and the open end again with each step. When the
 * text is complete, all of it is lexed once more, so that the result never depends on how it arrived.
 */
import type { Links, Token, Tokens } from "marked";
import { createElement, Fragment, type VNode } from "preact";
import { lexMarkdown } from "./lex-markdown.ts";
import { mendTail } from "./mend-tail.ts";
import { renderBlock } from "./render-block.tsx";

/** One block on the screen. It keeps its object and vnode while its text is the same, so that Preact skips it. */
type MarkdownBlock = {
  readonly key: number;
  readonly raw: string;
  readonly vnode: VNode;
  /** How many signs each heading above it has, outermost first. The last number of a heading is its own. */
  readonly headings: readonly number[];
};

/** The text so far and its blocks. */
export type MarkdownDocument = {
  readonly text: string;
  readonly isOpen: boolean;
  readonly blocks: readonly MarkdownBlock[];
  /** How many UTF-16 units of `text`, and how many blocks, later text can no longer change. */
  readonly settledLength: number;
  readonly settledCount: number;
  /** Link definitions in the settled part. */
  readonly links: Links;
};

export const EMPTY_DOCUMENT: MarkdownDocument = {
  text: "",
  isOpen: true,
  blocks: [],
  settledLength: 0,
  settledCount: 0,
  links: {},
};

/** An open end up to this long is lexed at each step. */
const SMALL_TAIL_LENGTH = 8_000;

/** A longer one is lexed when it has grown by this fraction, so that the work stays proportional to the text. */
const TAIL_STEPS = 16;

/** The document with `source` as its text, usually the previous text and more. `isOpen`: more will come. */
export const advanceDocument = (document: MarkdownDocument, source: string, isOpen: boolean): MarkdownDocument => {
  const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  if (text === document.text && isOpen === document.isOpen) return document;
  if (!isOpen) return closeDocument(document, text);
  const isGrown = document.isOpen && text.startsWith(document.text);
  const base = isGrown ? document : EMPTY_DOCUMENT;
  const tailLength = text.length - base.settledLength;
  const grownBy = text.length - base.text.length;
  if (isGrown && tailLength > SMALL_TAIL_LENGTH && grownBy < tailLength / TAIL_STEPS) return document;
  return showTail(settle(base, text));
};

const closeDocument = (document: MarkdownDocument, text: string): MarkdownDocument => {
  const blocks = makeBlocks(lexMarkdown(text), 0, undefined, document.blocks);
  return { ...EMPTY_DOCUMENT, text, isOpen: false, blocks };
};

/** Extends the settled part as far as possible. */
const settle = (document: MarkdownDocument, text: string): MarkdownDocument => {
  const { settledLength, settledCount, blocks, links } = document;
  const tail = text.slice(settledLength);
  const tokens = tail.includes("\n\n") ? lexMarkdown(tail, links) : [];
  const settled = tokens.slice(0, countSettled(tokens, tail));
  if (settled.length === 0) return { ...document, text };
  const added = makeBlocks(settled, settledLength, blocks[settledCount - 1], blocks.slice(settledCount));
  const kept = [...blocks.slice(0, settledCount), ...added];
  return {
    ...document,
    text,
    blocks: [...kept, ...blocks.slice(kept.length)],
    settledLength: settledLength + lengthOf(settled),
    settledCount: kept.length,
    links: addDefinitions(links, settled),
  };
};

/**
 * How many of the first tokens are final: those before a block that follows a blank line, a heading or a rule, and that has a
 * complete line. Half a line can still become a bullet, and then belongs to the list before it.
 */
const countSettled = (tokens: readonly Token[], tail: string): number => {
  let start = 0;
  let count = 0;
  for (const [index, token] of tokens.entries()) {
    const isApart = CLOSED_KINDS.has(tokens[index - 1]?.type ?? "");
    if (isApart && token.type !== "space" && tail.indexOf("\n", start) >= 0) count = index;
    // The border cannot be found from the tokens; lexing the complete text will settle it.
    if (!tail.startsWith(token.raw, start)) return count;
    start += token.raw.length;
  }
  return count;
};

const CLOSED_KINDS: ReadonlySet<string> = new Set(["space", "heading", "hr"]);

const lengthOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { raw }) => sum + raw.length, 0);

/** Most link definitions used while the text is open, not counting nested ones, which are not used. A complete text uses all of them. */
const MAX_OPEN_LINKS = 200;

const addDefinitions = (links: Links, tokens: readonly Token[]): Links => {
  const definitions = tokens.filter((token): token is Tokens.Def => token.type === "def");
  if (definitions.length === 0 || Object.keys(links).length >= MAX_OPEN_LINKS) return links;
  const added = definitions.map(({ tag, href, title }) => [tag, { href, title }]);
  // The first definition of a name wins.
  return { ...Object.fromEntries(added.reverse()), ...links };
};

const showTail = (document: MarkdownDocument): MarkdownDocument => {
  const { text, settledLength, settledCount, blocks, links } = document;
  const tokens = lexMarkdown(mendTail(text.slice(settledLength)), links);
  const tail = makeBlocks(tokens, settledLength, blocks[settledCount - 1], blocks.slice(settledCount));
  return { ...document, blocks: [...blocks.slice(0, settledCount), ...tail] };
};

/**
 * Makes blocks, each keyed by where it begins, which does not change while it grows. `previous` is the block before the first one,
 * and `known` are the blocks that were in their place.
 */
const makeBlocks = (
  tokens: readonly Token[],
  offset: number,
  previous: MarkdownBlock | undefined,
  known: readonly MarkdownBlock[],
): MarkdownBlock[] => {
  const byKey = new Map(known.map((block) => [block.key, block]));
  const blocks: MarkdownBlock[] = [];
  let headings = previous?.headings ?? [];
  let key = offset;
  for (const token of tokens) {
    if (token.type !== "space") {
      const block = makeBlock(key, token, headings, byKey.get(key));
      blocks.push(block);
      headings = block.headings;
    }
    key += token.raw.length;
  }
  return blocks;
};

const makeBlock = (
  key: number,
  token: Token,
  above: readonly number[],
  old: MarkdownBlock | undefined,
): MarkdownBlock => {
  const over = isHeading(token) ? above.filter((signs) => signs < token.depth) : above;
  const headings = isHeading(token) ? [...over, token.depth] : above;
  // What a `[` begins depends on definitions elsewhere.
  const isSame = old?.raw === token.raw && !token.raw.includes("[") && String(old.headings) === String(headings);
  if (isSame) return old;
  return { key, raw: token.raw, headings, vnode: createElement(Fragment, { key }, renderBlock(token, over.length)) };
};

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
