/** What a device makes of a push. Pure, so that it can be tested without a browser. */
import { tryParseJson } from "../../contract/parse-json.ts";

/** `options.data` is the path to open. `isClosing`: it takes back what its tag shows. */
export type Shown = {
  readonly title: string;
  readonly options: { readonly tag: string; readonly data: string; readonly icon: string; readonly silent?: true };
  readonly isClosing: boolean;
};

const ICON = "/icon-192.png";

/** The app's own paths: whatever the server does not answer itself. */
export const isOwnPath = (path: string): boolean => !/^\/(_framework|api|assets|cdn-cgi)(\/|$)/.test(path);

/** What a push's JSON says (api.md §9); undefined when it cannot be read. An address that is not a path of the app's becomes `/`. */
export const shownOf = (text: string): Shown | undefined => {
  const notice = tryParseJson(text);
  if (typeof notice !== "object" || notice === null) return undefined;
  if (!("title" in notice && "tag" in notice && "url" in notice && "kind" in notice)) return undefined;
  const { title, tag, url, kind } = notice;
  if (typeof title !== "string" || typeof tag !== "string") return undefined;
  const isClosing = kind === "close";
  const options = { tag, data: ownPathOf(url), icon: ICON, ...(isClosing && { silent: true as const }) };
  return { title, options, isClosing };
};

/** The path if it is one of the app's, else `/`. `//host` and `/\host` name another host. */
export const ownPathOf = (url: unknown): string =>
  typeof url === "string" && /^\/(?![/\\])/.test(url) && isOwnPath(url.split(/[?#]/, 1)[0] ?? "") ? url : "/";
