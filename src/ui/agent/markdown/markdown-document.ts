/**
 * A markdown text that grows: blocks that are finished are lexed and rendered once, the open end again with each step.
 * When the text is whole, all of it is read once more in one go, so that the end never depends on how it arrived.
 */
import type { Links, Token, Tokens } from "marked";
import { createElement, Fragment, type VNode } from "preact";
import { lexMarkdown } from "./lex-markdown.ts";
import { mendTail } from "./mend-tail.ts";
import { renderBlock } from "./render-block.tsx";

/** One block on the screen. The same object, and the same vnode, as long as its text is the same: Preact then skips it. */
type MarkdownBlock = { readonly key: number; readonly raw: string; readonly vnode: VNode };

/** The text so far and its blocks. */
export type MarkdownDocument = {
  readonly text: string;
  readonly isOpen: boolean;
  readonly blocks: readonly MarkdownBlock[];
  /** Units of `text`, and blocks, that nothing behind them can change any more. */
  readonly settledLength: number;
  readonly settledCount: number;
  /** Link definitions in the settled part. */
  readonly links: Links;
};

/** No text yet. */
export const EMPTY_DOCUMENT: MarkdownDocument = {
  text: "",
  isOpen: true,
  blocks: [],
  settledLength: 0,
  settledCount: 0,
  links: {},
};

/** An open end up to this long is read at each step. */
const SMALL_TAIL_LENGTH = 8_000;

/** A longer one when it has grown by this part of itself: so the work stays in proportion to the text. */
const TAIL_STEPS = 16;

/** The document with `source` as its text, which usually is the text before and more. `isOpen`: more will come. */
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
  const blocks = makeBlocks(lexMarkdown(text), 0, document.blocks);
  return { ...EMPTY_DOCUMENT, text, isOpen: false, blocks };
};

/** Moves the border of the settled part as far as it goes. */
const settle = (document: MarkdownDocument, text: string): MarkdownDocument => {
  const { settledLength, settledCount, blocks, links } = document;
  const tail = text.slice(settledLength);
  const tokens = tail.includes("\n\n") ? lexMarkdown(tail, links) : [];
  const settled = tokens.slice(0, countSettled(tokens, tail));
  if (settled.length === 0) return { ...document, text };
  const added = makeBlocks(settled, settledLength, blocks.slice(settledCount));
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
 * How many of the first tokens are final: those before a block that begins behind a blank line (or a heading) and has a
 * whole line of its own. Half a line can still become a bullet, and so part of the list before it.
 */
const countSettled = (tokens: readonly Token[], tail: string): number => {
  let start = 0;
  let count = 0;
  for (const [index, token] of tokens.entries()) {
    const isApart = CLOSED_KINDS.has(tokens[index - 1]?.type ?? "");
    if (isApart && token.type !== "space" && tail.indexOf("\n", start) >= 0) count = index;
    // Then the border cannot be told from the tokens; the end of the text will sort it out.
    if (!tail.startsWith(token.raw, start)) return count;
    start += token.raw.length;
  }
  return count;
};

const CLOSED_KINDS: ReadonlySet<string> = new Set(["space", "heading", "hr"]);

const lengthOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { raw }) => sum + raw.length, 0);

/** Definitions that count while the text is open; without the nested ones. All count when it is whole. */
const MAX_OPEN_LINKS = 200;

const addDefinitions = (links: Links, tokens: readonly Token[]): Links => {
  const definitions = tokens.filter((token): token is Tokens.Def => token.type === "def");
  if (definitions.length === 0 || Object.keys(links).length >= MAX_OPEN_LINKS) return links;
  const added = definitions.map(({ tag, href, title }) => [tag, { href, title }]);
  // The first one of a name wins.
  return { ...Object.fromEntries(added.reverse()), ...links };
};

const showTail = (document: MarkdownDocument): MarkdownDocument => {
  const { text, settledLength, settledCount, blocks, links } = document;
  const tokens = lexMarkdown(mendTail(text.slice(settledLength)), links);
  const tail = makeBlocks(tokens, settledLength, blocks.slice(settledCount));
  return { ...document, blocks: [...blocks.slice(0, settledCount), ...tail] };
};

/** Keyed by where a block begins, which stays the same while it grows. */
const makeBlocks = (tokens: readonly Token[], offset: number, before: readonly MarkdownBlock[]): MarkdownBlock[] => {
  const known = new Map(before.map((block) => [block.key, block]));
  const blocks: MarkdownBlock[] = [];
  let key = offset;
  for (const token of tokens) {
    const old = known.get(key);
    // What `[` may begin depends on definitions elsewhere.
    if (old?.raw === token.raw && !token.raw.includes("[")) blocks.push(old);
    else if (token.type !== "space") blocks.push(makeBlock(key, token));
    key += token.raw.length;
  }
  return blocks;
};

const makeBlock = (key: number, token: Token): MarkdownBlock => ({
  key,
  raw: token.raw,
  vnode: createElement(Fragment, { key }, renderBlock(token)),
});
