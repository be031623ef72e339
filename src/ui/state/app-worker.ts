/** Longest wait for the service worker of a page that was opened just now, in ms. */
const START_LIMIT_MS = 10_000;

/** The app's service worker; undefined where this browser has none, or none was started (`npm run dev` without `--service-worker`). */
export const appWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;

/**
 * Whether the service worker is to be started. Over plain HTTP, which is `npm run dev`, only if that command was asked to: on that port
 * the worker would catch other projects as well.
 */
export const wantsAppWorker = (session: { readonly serviceWorker?: boolean } | undefined): boolean =>
  location.protocol === "https:" || session?.serviceWorker === true;

/** The service worker at work, which a page starts a moment after it has opened. Rejects when it does not come. */
export const startedAppWorker = (): Promise<ServiceWorkerRegistration> =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error("The service worker did not start.")), START_LIMIT_MS);
    }),
  ]);
