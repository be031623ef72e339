/** The browser's cache with what is kept of a person for when there is no network. */
export const KEPT_CACHE = "tally-kept";

/** Drops all of it. */
export const dropKept = async (): Promise<void> => {
  // Only where pages are secure.
  if ("caches" in window) await caches.delete(KEPT_CACHE);
};
