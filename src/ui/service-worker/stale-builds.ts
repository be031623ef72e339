/** Which kept files a service worker drops when it takes over. */

/** What the names of the caches with a build's files begin with. */
export const BUILD_CACHE = "tally-build-";

/**
 * The caches of all builds but the worker's `own`. None while the next worker is on its way: one of them may be that worker's, which drops
 * the others itself when it takes over. Read the `names` before the registration, so that no cache of a later worker is among them.
 */
export const staleBuilds = (
  names: readonly string[],
  own: string,
  { installing, waiting }: { readonly installing: unknown; readonly waiting: unknown },
): readonly string[] =>
  (installing ?? waiting) ? [] : names.filter((name) => name.startsWith(BUILD_CACHE) && name !== own);
