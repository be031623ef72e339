/** Names like one that is not there: a model that guesses a path is nearly always close. */
import type { Workspace } from "../../workspace/workspace.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";

/** Files that are looked at; in a larger tree the hint may be missing. */
const MAX_LISTED = 5_000;

const MAX_NAMES = 3;

/** A sentence that names files with the same name or stem, or an empty text. */
export const nearNames = async (workspace: Workspace, path: string): Promise<string> => {
  try {
    const { entries } = await workspace.list({ path: ".", limit: MAX_LISTED });
    const near = entries.map((entry) => entry.path).filter((other) => isNear(other, path));
    return near.length === 0 ? "" : ` Did you mean ${near.slice(0, MAX_NAMES).join(" or ")}?`;
  } catch (error) {
    // Only a hint: the answer is the same without it.
    if (error instanceof WorkspaceError) return "";
    throw error;
  }
};

const isNear = (other: string, path: string): boolean => stemOf(other) === stemOf(path);

/** The file's name without directories, ending, case and signs: `src/App.test.ts` gives `app`. */
const stemOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return (name.replace(/(?<=.)\..*$/, "") || name).replaceAll(/[-_ ]/g, "");
};
