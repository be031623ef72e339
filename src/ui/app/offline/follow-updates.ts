/**
 * Brings a page that stays open to new versions of the app. Its own files stay as they are until it is reloaded: it never gets one of
 * another build. So it only says that there is a new version, and helps the new service worker to take over once no page of the
 * old build is left (docs/decisions/0189).
 */
import { showToast } from "../../parts/toasts.tsx";

/** How often a page asks for a new version, in ms. Browsers ask by themselves only when a page is opened. */
const CHECK_MS = 60 * 60_000;

/** Starts it, until `signal` aborts. */
export const followUpdates = (registration: ServiceWorkerRegistration, signal: AbortSignal): void => {
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
    if (data !== "other build" || source === told) return;
    told = source;
    try {
      // The worker may be the older one of both.
      if (!(await isServed(entry))) sayThatItIsNew();
    } catch {
      // Without a network: when it is asked the next time.
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

/** It stays until it is pressed or dismissed. */
const sayThatItIsNew = (): void => {
  const action = { label: "Reload", run: () => location.reload() };
  showToast({ text: "There is a new version of Tally.", tone: "lasting", action });
};
