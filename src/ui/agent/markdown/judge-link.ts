/**
 * What a person has to know before they follow a link: where it really leads. Its words may say something else, because the
 * model wrote them, and the model reads what strangers wrote.
 */

/** Why a link asks for confirmation before it opens. */
export type LinkDoubt =
  /** Its words look like another host, or another mail address. */
  | "otherPlace"
  /** It has something before the host, up to an `@`, that may look like a host. */
  | "nameBeforeHost"
  /** It is a mail with a subject, a text or further addresses. */
  | "writtenMail";

/** `target` is a host as the browser names it, or a mail address. `isSaid`: the words are the address itself. */
type LinkFacts = {
  readonly target: string;
  readonly isSaid: boolean;
  readonly doubt: LinkDoubt | undefined;
};

/** `href` comes from `safeHref`: an absolute http, https or mailto address. */
export const judgeLink = (words: string, href: string): LinkFacts => {
  const url = new URL(href);
  const isMail = url.protocol === "mailto:";
  const target = isMail ? mailAddress(url) : url.host;
  const isSaid = withoutFrame(words) === withoutFrame(href);
  return { target, isSaid, doubt: isMail ? doubtOfMail(words, url) : doubtOfPage(words, url, isSaid) };
};

const doubtOfPage = (words: string, url: URL, isSaid: boolean): LinkDoubt | undefined => {
  if (url.username !== "" || url.password !== "") return "nameBeforeHost";
  const isOther = (host: string): boolean => withoutWww(host) !== withoutWww(url.hostname);
  return !isSaid && hostsIn(words).some(isOther) ? "otherPlace" : undefined;
};

const doubtOfMail = (words: string, url: URL): LinkDoubt | undefined => {
  if (url.search !== "") return "writtenMail";
  const namesIt = plain(words).toLowerCase().includes(mailAddress(url).toLowerCase());
  return hostsIn(words).length > 0 && !namesIt ? "otherPlace" : undefined;
};

/** The fields of a mail's address besides the recipient: subject, text, copies. */
export const mailFields = (href: string): readonly (readonly [name: string, value: string])[] =>
  // In these addresses, a plus sign means itself.
  [...new URLSearchParams(new URL(href).search.replaceAll("+", "%2B"))];

/** The path, decoded. Undefined if it is not validly encoded. */
const decoded = ({ pathname }: URL): string | undefined => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
};

/** What cannot be decoded is shown as it is written. */
const mailAddress = (url: URL): string => decoded(url) ?? url.pathname;

/**
 * Text that people read as a host, with its path: labels with dots, the last one made of letters, or four numbers. The search begins
 * only where a word does: from each character of a long word, it would take a minute.
 */
const HOST =
  /(?<![\p{L}\p{M}\p{N}_-])(?<host>[\p{L}\p{M}\p{N}_-]+(?:[.\u3002][\p{L}\p{M}\p{N}_-]+)+)(?::\d+(?![\p{L}\p{M}\p{N}_-]))?(?:[/?#]\S*)?/gu;

const ENDS_AS_HOST = /[.\u3002](?:\p{L}[\p{L}\p{M}]+|xn--[\p{L}\p{N}-]+)$|^\d+(?:\.\d+){3}$/u;

/** The hosts named in the words, in the browser's spelling. */
const hostsIn = (words: string): readonly string[] =>
  [...plain(words).matchAll(HOST)]
    .map(({ groups }) => groups?.host ?? "")
    .filter((host) => ENDS_AS_HOST.test(host))
    .map((host) => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host));

/** The text as a person reads it: without invisible characters, and with wide and joined letters as plain ones. */
const plain = (words: string): string =>
  words.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "").normalize("NFKC");

const withoutFrame = (address: string): string =>
  address
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/, "")
    .replace(/\/$/, "");

const withoutWww = (host: string): string => host.replace(/^www\./, "");

/** Where a link leads. `isOwn` is a screen of this app, to be opened in place. */
type SafeHref = { readonly href: string; readonly isOwn: boolean };

const PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Stands in for the app's own origin while a path is parsed; never leaves this file. */
const OWN_ORIGIN = "https://app.invalid";

/** Paths that are not screens: a click must not lead there. */
const NO_SCREEN = /^\/(?:_framework|api)(?:\/|$)/;

/**
 * The address as the browser would read it, so that no spelling of `javascript:` gets past; undefined when it must not
 * be a link. Absolute http, https and mailto addresses are kept, and paths of the app that begin with `/`.
 */
export const safeHref = (address: string): SafeHref | undefined => {
  if (address.startsWith("/")) return ownPath(address);
  const url = readUrl(address);
  return url !== undefined && PROTOCOLS.has(url.protocol) ? { href: url.href, isOwn: false } : undefined;
};

const readUrl = (address: string, base?: string): URL | undefined =>
  URL.canParse(address, base) ? new URL(address, base) : undefined;

const ownPath = (address: string): SafeHref | undefined => {
  const url = readUrl(address, OWN_ORIGIN);
  // `//host` and `/\host` are other origins to a browser.
  if (url === undefined || url.origin !== OWN_ORIGIN || NO_SCREEN.test(url.pathname)) return undefined;
  // `/.//host` is a path here. It would be returned without its dot, and that leads to another host.
  if (url.pathname.startsWith("//")) return undefined;
  // The router would throw on a path that cannot be decoded.
  if (decoded(url) === undefined) return undefined;
  return { href: url.pathname + url.search + url.hash, isOwn: true };
};
