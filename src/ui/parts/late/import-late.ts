/**
 * Loads code that is not part of the first paint. The build puts it in the place of each `import()` of ours (`cli/build/late-imports.ts`).
 * A browser may remember that a module could not be fetched, and refuse its address until the page is reloaded
 * (https://github.com/whatwg/html/issues/6768): after a failure the same file is asked for under another address.
 */

/** How often each file could not be fetched, by its path. A file that came is never fetched under a second address: its state would be there twice. */
const failures = new Map<string, number>();

/** Imports a file beside this one. Rejects as `import()` does; called again, it fetches again. */
const importLate = async (path: string): Promise<unknown> => {
  const failed = failures.get(path) ?? 0;
  try {
    return await import(failed > 0 ? `${path}?again=${failed}` : path);
  } catch (error) {
    // Not one more: callers that waited for the same file fail together.
    failures.set(path, failed + 1);
    throw error;
  }
};

Object.assign(globalThis, { importLate });
