/** What a device makes of a push. Pure, so that it can be tested without a browser. */
import { tryParseJson } from "../../contract/parse-json.ts";

/** `options.data` is the path to open. `isClosing`: it takes back the notification that has its tag. */
type Shown = {
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

/** Where a device shows notices: a service worker's registration. */
type NoticeArea = {
  readonly showNotification: (title: string, options: Shown["options"]) => Promise<void>;
  readonly getNotifications: (filter: { readonly tag: string }) => Promise<readonly { readonly close: () => void }[]>;
};

/**
 * How long a notification that takes another back stays, in ms. On Linux, the desktop gives each notification a number. One that Chromium
 * closes before it was told the number stays for good. A busy desktop takes some tenths of a second.
 */
const SETTLE_MS = 1_000;

const settle = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, SETTLE_MS));

/**
 * Browsers want to see a notification for every push, so one that takes another back is shown, and then closed. What it takes back is
 * closed first: Safari does not replace a notification by its tag, then finds only the newest, and keeps that open for a while
 * (https://bugs.webkit.org/show_bug.cgi?id=309940). `pause`: lets the device show it.
 */
export const showNotice = async (
  { title, options, isClosing }: Shown,
  area: NoticeArea,
  pause: () => Promise<void> = settle,
): Promise<void> => {
  const close = async (): Promise<void> => {
    for (const shown of await area.getNotifications({ tag: options.tag })) shown.close();
  };
  if (isClosing) await close();
  await area.showNotification(title, options);
  if (!isClosing) return;
  await pause();
  await close();
};

/** Stands in for the app's own origin, whose name does not matter for a path. */
const ORIGIN = "https://tally.invalid";

/** The path if it is one of the app's, otherwise `/`. It is judged as a browser reads it: without tabs, with `\` as `/`, following `..`. */
export const ownPathOf = (url: unknown): string => {
  if (typeof url !== "string" || !url.startsWith("/") || !URL.canParse(url, ORIGIN)) return "/";
  const { origin, pathname, search, hash } = new URL(url, ORIGIN);
  // `/.//host` becomes `//host`, which would name a host.
  const isOwn = origin === ORIGIN && !pathname.startsWith("//") && isOwnPath(pathname);
  return isOwn ? pathname + search + hash : "/";
};
