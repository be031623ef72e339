/**
 * Whether a text still says everything once it is shown as elements. Titles and addresses of links, link definitions, words behind
 * the language of code and surplus cells of a table are shown nowhere, so they could hide something from whoever agrees to the text.
 */
import { type ComponentChildren, isValidElement } from "preact";
import { advanceDocument, EMPTY_DOCUMENT } from "./markdown-document.ts";
import { decodeEntities, wordsOf } from "./render-inline.tsx";

/** Most lists and quotes within each other. Their indents add up, and more would leave a phone no width for the words. */
const MAX_NESTING = 5;

/** The signs of lists and quotes at the beginning of a line, and the box of a task. The browser draws or numbers them itself. */
const SIGNS = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])+(?:\[[ xX]\](?=[ \t]))?/gm;

/** Blanks, and what may be a mark: never a letter, a digit or a character beyond ASCII. */
const MARKS = /[^a-zA-Z\d\u0080-\uFFFF]+/g;

/**
 * Whether each letter, digit and character beyond ASCII is shown, in the same order, and not too deeply nested. False for a text with
 * character references: any character could come out of them.
 */
export const showsAll = (text: string): boolean => {
  if (decodeEntities(text) !== text) return false;
  const vnodes = advanceDocument(EMPTY_DOCUMENT, text, false).blocks.map(({ vnode }) => vnode);
  return nestingOf(vnodes) <= MAX_NESTING && isWithin(text.replace(SIGNS, "").replace(MARKS, ""), wordsOf(vnodes));
};

/** Whether `shown` has all of `wanted` in this order, whatever else it says in between. */
const isWithin = (wanted: string, shown: string): boolean => {
  let end = 0;
  for (const character of wanted) {
    const at = shown.indexOf(character, end);
    if (at < 0) return false;
    end = at + character.length;
  }
  return true;
};

const INDENTS: ReadonlySet<unknown> = new Set(["ul", "ol", "blockquote"]);

const nestingOf = (node: ComponentChildren): number => {
  if (Array.isArray(node)) return node.reduce((most: number, child) => Math.max(most, nestingOf(child)), 0);
  if (!isValidElement(node)) return 0;
  const { type, props }: { type: unknown; props: { readonly children?: ComponentChildren } } = node;
  return nestingOf(props.children) + (INDENTS.has(type) ? 1 : 0);
};
