/**
 * The app's service worker: keeps the files of its own build, so that the app opens without a network, and shows pushes. It keeps
 * nothing of a person: what the server answers never goes through it (decision 0127). The build fills `BUILD` in.
 */
import { isOwnPath, ownPathOf, showNotice, shownOf } from "./notice-shown.ts";
import { BUILD_CACHE, staleBuilds } from "./stale-builds.ts";

declare const self: ServiceWorkerGlobalScope;

/** `id` changes with any file, `files` are their paths, `entry` is the script that the page of this build names. */
declare const BUILD: { readonly id: string; readonly entry: string; readonly files: readonly string[] };

/** The page, as it is kept: it is the same for every address. */
const PAGE = "/";

const CACHE = BUILD_CACHE + BUILD.id;

const FILES: ReadonlySet<string> = new Set(BUILD.files);

const install = async (): Promise<void> => {
  const cache = await caches.open(CACHE);
  const page = await fetch(PAGE, { cache: "no-cache" });
  // The server may have another build already: that build's own service worker will follow.
  if (!page.ok || !(await page.clone().text()).includes(BUILD.entry)) throw new Error("The page is of another build.");
  await cache.put(PAGE, page);
  await cache.addAll(BUILD.files);
};

/** An event with the static routing API, which not every browser has. */
type RoutingEvent = ExtendableEvent & {
  addRoutes?(rules: readonly { condition: { urlPattern: string }; source: "network" }[]): Promise<void>;
};

/**
 * Has the browser ask the server for what this worker never answers. Otherwise each of these requests would wait for the worker to
 * start, and would keep it from ending when the next one is to take over.
 */
const routePastWorker = (event: RoutingEvent): void => {
  const rules = ["/api/*", "/_framework/*"].map(
    (urlPattern) => ({ condition: { urlPattern }, source: "network" }) as const,
  );
  void event.addRoutes?.(rules);
};

/** Runs when this worker takes over: no open page belongs to the previous build any more, so nobody asks for its files. */
const activate = async (): Promise<void> => {
  const names = await caches.keys();
  for (const name of staleBuilds(names, CACHE, self.registration)) await caches.delete(name);
  // Without it, no page could be requested while the service worker starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
};

const fetchPage = async ({ preloadResponse, request }: FetchEvent): Promise<Response> => {
  const preloaded: unknown = await preloadResponse;
  return preloaded instanceof Response ? preloaded : await fetch(request);
};

/** How long the network has for a page, in ms: a network that brings nothing counts as none (decision 0223). */
const PAGE_LIMIT_MS = 4_000;

/** The page from the network, so that an update is there at once. If that fails or is late, the page of this build, with all its files. */
const answerPage = async (event: FetchEvent): Promise<Response> => {
  const fetched = fetchPage(event);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_LIMIT_MS));
  // Without a kept page the network has all the time that it needs, and says itself why it failed.
  const page = await Promise.race([fetched, late]).catch(() => undefined);
  return page ?? (await caches.match(PAGE, { cacheName: CACHE })) ?? (await fetched);
};

/** A file that could not be fetched at first is asked for with a query (`parts/lazy.ts`). */
const answerFile = async (request: Request): Promise<Response> =>
  (await caches.match(request, { cacheName: CACHE, ignoreSearch: true })) ?? (await fetch(request));

/** How long a page may take to say which build it belongs to, in ms. A frozen page says nothing: it may belong to the previous build. */
const ENTRY_LIMIT_MS = 3_000;

/** What a page answers; undefined when it has said nothing for `limitMs`. */
const ask = (page: Client, question: "build?" | "place?", limitMs: number): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    page.postMessage(question, [port2]);
    setTimeout(resolve, limitMs);
  });

/** Each page says which build it belongs to. Once all of them belong to this one, it replaces the previous build. */
const meet = async ({ data, source }: ExtendableMessageEvent): Promise<void> => {
  if (data !== BUILD.entry) return source?.postMessage("other build");
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const entries = await Promise.all(pages.map((page) => ask(page, "build?", ENTRY_LIMIT_MS)));
  if (entries.every((entry) => entry === BUILD.entry)) await self.skipWaiting();
};

/**
 * How long a page may take to say where it is, in ms. A browser lets a window be opened only shortly after the press: Firefox for a second
 * (`dom.serviceWorkers.disable_open_click_delay`).
 */
const PLACE_LIMIT_MS = 700;

/** Shows the page of a notice: in a tab that is there already, otherwise in a new one. A tab's `url` only says where it was loaded. */
const openPage = async (path: string): Promise<void> => {
  const wanted = new URL(path, location.origin);
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const places = await Promise.all(pages.map((page) => ask(page, "place?", PLACE_LIMIT_MS)));
  const open = pages[places.indexOf(wanted.pathname + wanted.search)];
  if (open === undefined) await self.clients.openWindow(wanted.href);
  // The page itself goes to the place that the hash names.
  else (await open.focus()).postMessage({ hash: wanted.hash });
};

self.addEventListener("install", (event) => {
  routePastWorker(event);
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => event.waitUntil(activate()));

self.addEventListener("message", (event) => event.waitUntil(meet(event)));

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (FILES.has(pathname)) event.respondWith(answerFile(event.request));
  // The server's own pages, such as the export of an account, do not belong to the app.
  else if (mode === "navigate" && isOwnPath(pathname)) event.respondWith(answerPage(event));
});

self.addEventListener("push", (event) => {
  const shown = shownOf(event.data?.text() ?? "");
  if (shown !== undefined) event.waitUntil(showNotice(shown, self.registration));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(ownPathOf(event.notification.data)));
});
