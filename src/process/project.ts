/** Where this project is, whatever the working directory. */
import { join, sep } from "node:path";

/** The directory of `wrangler.toml`. */
export const PROJECT_DIR = join(import.meta.dirname, "../..");

/** The installed packages, with a separator at the end: the start of every path inside. */
export const PACKAGES_DIR = join(PROJECT_DIR, "node_modules") + sep;
