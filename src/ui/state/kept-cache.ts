/** The browser cache with a person's data, kept for when there is no network. */
export const KEPT_CACHE = "tally-kept";

/** Drops all of it. */
export const dropKept = async (): Promise<void> => {
  // Only secure pages have caches.
  if ("caches" in window) await caches.delete(KEPT_CACHE);
};
