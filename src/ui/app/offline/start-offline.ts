/** What makes the app work without a network and as an app on a phone. Loads after the first paint. */

import type { QueryClient } from "@tanstack/preact-query";
import type { Session } from "../../account/person.ts";
import { showToast } from "../../parts/toasts.tsx";
import { wantsAppWorker } from "../../state/app-worker.ts";
import { keepList } from "./keep-list.ts";

/** Where the build puts the service worker: at the top, because it is for all of the app's addresses. */
const SCRIPT = "/service-worker.js";

/** Starts all of it. Returns a function that stops following the list and new versions. */
export const startOffline = (client: QueryClient): (() => void) => {
  const stopping = new AbortController();
  const stopRegistering = registerOnce(client, stopping.signal);
  const stopRenewing = onceSession(client, (session) => session !== undefined, renewPushes);
  const stopKeeping = keepList(client);
  return () => {
    stopping.abort();
    stopRegistering();
    stopRenewing();
    stopKeeping();
  };
};

/** Registers the service worker once the session says that it is wanted. */
const registerOnce = (client: QueryClient, signal: AbortSignal): (() => void) =>
  "serviceWorker" in navigator ? onceSession(client, wantsAppWorker, () => register(signal)) : () => {};

/** Does `work` once, as soon as the session `isReady`. Returns a function that stops waiting. */
const onceSession = (
  client: QueryClient,
  isReady: (session: Session | undefined) => boolean,
  work: () => Promise<void>,
): (() => void) => {
  let isDone = false;
  const look = (): void => {
    if (isDone || !isReady(client.getQueryData<Session>(["session"]))) return;
    isDone = true;
    void work();
  };
  const stop = client.getQueryCache().subscribe(look);
  look();
  return stop;
};

/** Loads no more than it needs: few browsers get pushes. */
const renewPushes = async (): Promise<void> => {
  try {
    if (localStorage.getItem("tally.device") === null) return;
    await (await import("../../account/notices/this-device.ts")).renewDevice();
  } catch (error) {
    // Pushes go on as before; the next page tries again.
    console.warn("The subscription to pushes could not be renewed.", error);
  }
};

const register = async (signal: AbortSignal): Promise<void> => {
  try {
    const registration = await navigator.serviceWorker.register(SCRIPT, { updateViaCache: "none" });
    if (!signal.aborted) followUpdates(registration, signal);
  } catch (error) {
    // The app works without it, with a network; the next start tries again.
    console.warn("The service worker could not be started.", error);
  }
};

/** How often a page asks for a new version, in ms. Browsers ask by themselves only when a page is opened. */
const CHECK_MS = 60 * 60_000;

/**
 * Brings a page that stays open to new versions of the app, until `signal` aborts. The page's own files stay as they are until it is
 * reloaded: it never gets a file of another build. So this only says that there is a new version, and helps the new service worker to take
 * over once no page of the old build is left (decision 0189).
 */
const followUpdates = (registration: ServiceWorkerRegistration, signal: AbortSignal): void => {
  const entry = ownEntry();
  if (entry === undefined) return;
  // The browser has asked just now.
  let checkedAtMs = Date.now();
  let told: MessageEventSource | null = null;
  /** Asks the newest worker to take over if it can. It answers if this page belongs to another build. */
  const meet = (): void => (registration.waiting ?? registration.active)?.postMessage(entry);
  const look = async (): Promise<void> => {
    if (document.visibilityState === "hidden") return;
    meet();
    if (Date.now() - checkedAtMs < CHECK_MS) return;
    checkedAtMs = Date.now();
    // Without a network it is asked again an hour later.
    await registration.update().catch(() => undefined);
  };
  const onMessage = async ({ data, source, ports: [port] }: MessageEvent<unknown>): Promise<void> => {
    if (data === "build?") port?.postMessage(entry);
    if (data === "place?") port?.postMessage(location.pathname + location.search);
    if (data !== "other build" || source === told) return;
    told = source;
    try {
      // The worker may be the older of the two.
      if (!(await isServed(entry))) sayThatItIsNew();
    } catch {
      // Without a network this is looked up the next time.
      told = null;
    }
  };
  const onUpdate = (): void => registration.installing?.addEventListener("statechange", meet, { signal });
  registration.addEventListener("updatefound", onUpdate, { signal });
  navigator.serviceWorker.addEventListener("message", (event) => void onMessage(event), { signal });
  document.addEventListener("visibilitychange", () => void look(), { signal });
  const timer = setInterval(() => void look(), CHECK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  meet();
};

/** The script that this page's build begins with: its path names the build. */
const ownEntry = (): string | undefined => {
  const source = document.querySelector<HTMLScriptElement>("script[type=module]")?.src;
  return source && new URL(source).pathname;
};

/** Whether the server still serves the build of this page. */
const isServed = async (entry: string): Promise<boolean> =>
  (await (await fetch("/", { cache: "no-cache" })).text()).includes(entry);

/** The toast stays until it is pressed or dismissed. */
const sayThatItIsNew = (): void => {
  const action = { label: "Reload", run: () => location.reload() };
  showToast({ text: "There is a new version of Tally.", tone: "lasting", action });
};
