/** All files of a durable workspace, also those that lists leave out: for the export of an account. */
import type { Workspace as ShellWorkspace } from "@cloudflare/shell";

/** More children than a directory can have; the default of the library would drop what is over 1,000. */
const ALL_CHILDREN = { limit: Number.MAX_SAFE_INTEGER };

/** Absolute paths of the files below a directory. */
export const everyPath = async (store: ShellWorkspace, directory = "/"): Promise<string[]> => {
  const paths: string[] = [];
  for (const child of await store.readDir(directory, ALL_CHILDREN)) {
    if (child.type === "directory") paths.push(...(await everyPath(store, child.path)));
    else if (child.type === "file") paths.push(child.path);
  }
  return paths;
};
