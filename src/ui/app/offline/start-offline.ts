/** What makes the app work without a network and as an app on a phone. Loads after the first paint. */
import type { QueryClient } from "@tanstack/preact-query";
import type { Session } from "../../account/person.ts";
import { wantsAppWorker } from "../../state/app-worker.ts";
import { followUpdates } from "./follow-updates.ts";
import { keepList } from "./keep-list.ts";

/** Where the build puts it: at the top, because it is for all of the app's addresses. */
const SCRIPT = "/service-worker.js";

/** Starts all of it. Returns a function that stops following the list and new versions. */
export const startOffline = (client: QueryClient): (() => void) => {
  const stopping = new AbortController();
  const stopRegistering = registerOnce(client, stopping.signal);
  const stopKeeping = keepList(client);
  return () => {
    stopping.abort();
    stopRegistering();
    stopKeeping();
  };
};

/** Once the session says whether it is wanted. */
const registerOnce = (client: QueryClient, signal: AbortSignal): (() => void) => {
  if (!("serviceWorker" in navigator)) return () => {};
  let isDone = false;
  const look = (): void => {
    if (isDone || !wantsAppWorker(client.getQueryData<Session>(["session"]))) return;
    isDone = true;
    void register(signal);
  };
  const stop = client.getQueryCache().subscribe(look);
  look();
  return stop;
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
