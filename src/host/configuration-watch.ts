/** Whether wrangler's configuration has changed since the start: wrangler reads its variables again then, whose file is gone. */
import { statSync, watch } from "node:fs";
import { join } from "node:path";

const NAME = "wrangler.toml";

/** Aborts when `wrangler.toml` in `dir` has been written, until `signal` does. */
export const watchConfiguration = (dir: string, signal: AbortSignal): AbortSignal => {
  const changed = new AbortController();
  const startedAs = writtenAtMs(dir);
  // The directory: an editor may put another file in the place of the one that was there.
  watch(dir, { signal, persistent: false }, (_, name) => {
    if (name === NAME && writtenAtMs(dir) !== startedAs) changed.abort();
  });
  return changed.signal;
};

const writtenAtMs = (dir: string): number | undefined => statSync(join(dir, NAME), { throwIfNoEntry: false })?.mtimeMs;
