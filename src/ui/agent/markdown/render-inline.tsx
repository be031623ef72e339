/** Renders inline markdown: text is always a text node, and no image is ever fetched. */
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { MarkedToken, Token, Tokens } from "marked";
import { type ComponentChild, type ComponentChildren, isValidElement } from "preact";
import { judgeLink, safeHref } from "./judge-link.ts";

/** The context of a token. `depth` limits the recursion; links cannot be nested. */
type Place = { readonly depth: number; readonly isInLink: boolean };

/** Deeper nesting is shown as written: nobody nests so deeply on purpose. */
export const MAX_DEPTH = 40;

export const renderInline = (tokens: readonly Token[], depth: number): ComponentChildren =>
  renderAll(tokens, { depth, isInLink: false });

/** Whether the token is one of marked's own kinds. Without extensions there are no others. */
export const isMarkedToken = (token: Token): token is MarkedToken => KINDS.has(token.type);

const KINDS: ReadonlySet<string> = new Set([
  ...[
    "blockquote",
    "br",
    "checkbox",
    "code",
    "codespan",
    "def",
    "del",
    "em",
    "escape",
    "heading",
    "hr",
    "html",
    "image",
  ],
  ...["link", "list", "list_item", "paragraph", "space", "strong", "table", "text"],
]);

const renderAll = (tokens: readonly Token[], place: Place): ComponentChildren =>
  tokens.map((token) => (isMarkedToken(token) ? renderToken(token, place) : token.raw));

const renderToken = (token: MarkedToken, place: Place): ComponentChild => {
  if (place.depth > MAX_DEPTH) return token.raw;
  const inside = { ...place, depth: place.depth + 1 };
  switch (token.type) {
    case "strong":
      return <strong>{renderAll(token.tokens, inside)}</strong>;
    case "em":
      return <em>{renderAll(token.tokens, inside)}</em>;
    case "del":
      return <del>{renderAll(token.tokens, inside)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return renderLink(token, inside);
    case "image":
      return renderImage(token, place);
    case "checkbox":
      return renderCheckbox(token);
    case "html":
      // A line break is the one HTML element that models write on purpose: table cells have no other way.
      return /^<br\s*\/?>$/i.test(token.text.trim()) ? <br /> : token.text;
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : renderAll(token.tokens, inside);
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
};

/** Character references are decoded before an address is judged, except in an automatic link, which has none. */
const renderLink = (token: Tokens.Link, place: Place): ComponentChild => {
  const children = token.autolink ? token.text : renderAll(token.tokens, { ...place, isInLink: true });
  return place.isInLink ? children : linkTo(token.autolink ? token.href : decodeEntities(token.href), children);
};

/** An image's alternative text, and a link to it: fetching it would tell its server who reads this, and when. */
const renderImage = (token: Tokens.Image, { isInLink }: Place): ComponentChild => {
  const words = decodeEntities(token.text) || token.href;
  return isInLink ? words : linkTo(decodeEntities(token.href), words);
};

const linkTo = (address: string, children: ComponentChildren): ComponentChild => {
  const target = safeHref(address);
  if (target === undefined) return <>{children}</>;
  if (target.isOwn) return <a href={target.href}>{children}</a>;
  const { target: place, isSaid, doubt } = judgeLink(wordsOf(children), target.href);
  return (
    <>
      {doubt === undefined ? (
        <a href={target.href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      ) : (
        // Not a link: a middle click or the browser's menu would open it without asking.
        <button type="button" class="markdown-asks" data-href={target.href} aria-haspopup="dialog">
          {children}
        </button>
      )}
      {(!isSaid || doubt !== undefined) && <span class="markdown-place"> ({place})</span>}
    </>
  );
};

/** The text as rendered, without markdown marks. */
export const wordsOf = (children: ComponentChildren): string => {
  if (Array.isArray(children)) return children.map((child: ComponentChildren) => wordsOf(child)).join("");
  if (isValidElement(children)) {
    const { props }: { props: { readonly children?: ComponentChildren } } = children;
    return wordsOf(props.children);
  }
  return typeof children === "string" || typeof children === "number" ? String(children) : "";
};

/** The box of a task, and the space after it. */
export const renderCheckbox = ({ checked }: Tokens.Checkbox): ComponentChild => (
  <>
    <input type="checkbox" checked={checked} disabled aria-label={checked ? "Done" : "To do"} />{" "}
  </>
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][\da-zA-Z]{1,31}));/g;

/** Decodes character references, because the browser does not decode the text of a vnode. A name that HTML does not know stays as it is. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
        return characterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
      })
    : text;

/** As in HTML, a number that names no character becomes U+FFFD. */
const characterOf = (code: number): string => {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\uFFFD";
};
