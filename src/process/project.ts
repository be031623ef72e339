/** Where this project is, whatever the working directory, and where Node keeps what it compiled. */
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/** The directory of `wrangler.toml`. */
export const PROJECT_DIR = join(import.meta.dirname, "../..");

/** The installed packages, with a separator at the end: the start of every path inside. */
export const PACKAGES_DIR = join(PROJECT_DIR, "node_modules") + sep;

/** A search path of programs without this project's, which npm puts first: the person's project must find its own, as in their terminal. */
export const withoutOwnPackages = (path: string): string =>
  path
    .split(delimiter)
    .filter((directory) => !directory.startsWith(PACKAGES_DIR))
    .join(delimiter);

/**
 * What Node compiles of our programs and of wrangler is kept here, types already taken out, for the next start. Removing it costs the next
 * start its time, nothing else.
 */
export const COMPILE_CACHE_DIR = join(PACKAGES_DIR, ".cache/node-compile");

/** Options of Node, before the name of a program of ours. Unlike a variable, they are not inherited by programs that it starts. */
export const WITH_COMPILE_CACHE = ["--import", new URL("./enable-compile-cache.ts", import.meta.url).href] as const;

/** Where this checkout is in a directory, with slashes: `.` when the directory is the checkout or inside it, "" when it is elsewhere. */
export const ownSourceIn = (dir: string): string => {
  // The real paths of both: links are resolved, and names have their case as on disk.
  const [root, project] = [realpathSync.native(dir), realpathSync.native(PROJECT_DIR)];
  if (holds(project, root)) return ".";
  return holds(root, project) ? relative(root, project).split(sep).join("/") : "";
};

/** The directories of the checkout that running programs load code from or write to. */
const IN_USE = ["src", "node_modules", ".wrangler"];

/** Whether a directory holds one of them, or is within one. */
export const holdsRunningCode = (dir: string): boolean => {
  const [root, project] = [realpathSync.native(dir), realpathSync.native(PROJECT_DIR)];
  return holds(root, project) || IN_USE.some((name) => holds(join(project, name), root));
};

const holds = (dir: string, path: string): boolean => {
  const way = relative(dir, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
