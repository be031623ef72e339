/** Inline markdown as vnodes: text is always a text node, and no image is ever fetched. */
import type { MarkedToken, Token, Tokens } from "marked";
import { type ComponentChild, type ComponentChildren, isValidElement } from "preact";
import { decodeEntities } from "./decode-entities.ts";
import { judgeLink } from "./judge-link.ts";
import { safeHref } from "./safe-href.ts";

/** What stands around a token. `depth` bounds the recursion; a link holds no other. */
type Place = { readonly depth: number; readonly isInLink: boolean };

/** Nesting beyond this is shown as it was written: no person means it. */
export const MAX_DEPTH = 40;

/** The tokens one after the other. */
export const renderInline = (tokens: readonly Token[], depth: number): ComponentChildren =>
  renderAll(tokens, { depth, isInLink: false });

/** Whether marked itself makes this kind; with no extensions it makes no other. */
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
      // A line break is the one piece of HTML that models write on purpose: in table cells there is no other.
      return /^<br\s*\/?>$/i.test(token.text.trim()) ? <br /> : token.text;
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : renderAll(token.tokens, inside);
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
};

/** In an automatic link references stand for nothing, elsewhere they are resolved before the address is judged. */
const renderLink = (token: Tokens.Link, place: Place): ComponentChild => {
  const children = token.autolink ? token.text : renderAll(token.tokens, { ...place, isInLink: true });
  return place.isInLink ? children : linkTo(token.autolink ? token.href : decodeEntities(token.href), children);
};

/** An image's own words, and a link to it: fetching it would tell its server who reads this, and when. */
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
        // No link: a middle click or a menu of the browser would open that without asking.
        <button type="button" class="markdown-asks" data-href={target.href} aria-haspopup="dialog">
          {children}
        </button>
      )}
      {(!isSaid || doubt !== undefined) && <span class="markdown-place"> ({place})</span>}
    </>
  );
};

/** The text of what was rendered: marks of markdown within it are no part of how it reads. */
const wordsOf = (children: ComponentChildren): string => {
  if (Array.isArray(children)) return children.map((child: ComponentChildren) => wordsOf(child)).join("");
  if (isValidElement(children)) {
    const { props }: { props: { readonly children?: ComponentChildren } } = children;
    return wordsOf(props.children);
  }
  return typeof children === "string" || typeof children === "number" ? String(children) : "";
};

/** The box of a task, and the space behind it. */
export const renderCheckbox = ({ checked }: Tokens.Checkbox): ComponentChild => (
  <>
    <input type="checkbox" checked={checked} disabled aria-label={checked ? "Done" : "To do"} />{" "}
  </>
);
