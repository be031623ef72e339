/** The app's service worker; undefined where this browser has none, or none was started (`npm run dev` without `--service-worker`). */
export const appWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
