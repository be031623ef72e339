/** Where this checkout, whose code runs, is beside a workspace directory. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { PROJECT_DIR } from "../process/project.ts";

/** Where this checkout is in a directory, with slashes: `.` when the directory is the checkout or inside it, "" when it is elsewhere. */
export const ownSourceIn = (dir: string): string => {
  // The real paths of both: links are resolved, and names have their case as on disk.
  const [root, project] = [realpathSync.native(dir), realpathSync.native(PROJECT_DIR)];
  if (holds(project, root)) return ".";
  return holds(root, project) ? relative(root, project).split(sep).join("/") : "";
};

const holds = (dir: string, path: string): boolean => {
  const way = relative(dir, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
