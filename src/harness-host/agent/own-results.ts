/**
 * Outputs that are too long for the SDK's model: the SDK puts them into files of the session, below its own home, and tells the model
 * the path and the first lines. These files hold only what calls of the session returned, so the session's model may read them.
 */
import { realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { sdkConfigIn } from "../session-files.ts";

/** Whose outputs: the SDK's home, and the session's id. */
export type ResultsPlace = { readonly home: string; readonly sessionId: string };

/** Whether a path, with links resolved, leads to such a file of this very session. False for a path that does not exist. */
export const isOwnResult = async ({ home, sessionId }: ResultsPlace, cwd: string, path: string): Promise<boolean> => {
  try {
    const real = await realpath(resolve(cwd, path));
    const parts = relative(join(await realpath(sdkConfigIn(home)), "projects"), real).split(sep);
    const [project, session, dir] = parts;
    const isItsOwn = parts.length === 4 && project !== ".." && session === sessionId && dir === RESULTS_DIR;
    return isItsOwn && (await stat(real)).isFile();
  } catch {
    // Judged like any other path.
    return false;
  }
};

/** The directory's name (seen in 2.1.330). */
const RESULTS_DIR = "tool-results";
