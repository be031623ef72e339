/** Which addresses of a model's text become links. It is untrusted: anything else stays text. */

/** Where a link leads. `isOwn` is a screen of this app, to be opened in place. */
export type SafeHref = { readonly href: string; readonly isOwn: boolean };

const PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Stands for the app's own origin while a path is read; never leaves this file. */
const OWN_ORIGIN = "https://app.invalid";

/** Paths that are not screens: nobody should end up there by a click. */
const NO_SCREEN = /^\/(?:_framework|api)(?:\/|$)/;

/**
 * The address as the browser would read it, so that no spelling of `javascript:` gets past; undefined when it must not
 * be a link. Absolute http, https and mailto ones are kept, and paths of the app that begin with `/`.
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
  return { href: url.pathname + url.search + url.hash, isOwn: true };
};
