/** What makes the app work without a network and as an app on a phone. Loads after the first paint. */
import type { QueryClient } from "@tanstack/preact-query";
import type { Session } from "../../account/person.ts";
import { wantsAppWorker } from "../../state/app-worker.ts";
import { keepList } from "./keep-list.ts";

/** Where the build puts it: at the top, because it is for all of the app's addresses. */
const SCRIPT = "/service-worker.js";

/** Starts all of it. Returns a function that stops following the list. */
export const startOffline = (client: QueryClient): (() => void) => {
  const stopRegistering = registerOnce(client);
  const stopKeeping = keepList(client);
  return () => {
    stopRegistering();
    stopKeeping();
  };
};

/** Once the session says whether it is wanted. */
const registerOnce = (client: QueryClient): (() => void) => {
  if (!("serviceWorker" in navigator)) return () => {};
  let isDone = false;
  const look = (): void => {
    if (isDone || !wantsAppWorker(client.getQueryData<Session>(["session"]))) return;
    isDone = true;
    void register();
  };
  const stop = client.getQueryCache().subscribe(look);
  look();
  return stop;
};

const register = async (): Promise<void> => {
  try {
    const registration = await navigator.serviceWorker.register(SCRIPT, { updateViaCache: "none" });
    askToTakeOver(registration);
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", () => askToTakeOver(registration));
    });
  } catch (error) {
    // The app works without it, with a network; the next start tries again.
    console.warn("The service worker could not be started.", error);
  }
};

/** This page may be of the new build already: then nothing keeps the old one. */
const askToTakeOver = ({ waiting }: ServiceWorkerRegistration): void => {
  const entry = document.querySelector<HTMLScriptElement>("script[type=module]")?.src;
  if (entry) waiting?.postMessage(new URL(entry).pathname);
};
