/** Where this project is, whatever the working directory, and where Node keeps what it compiled. */
import { join, sep } from "node:path";

/** The directory of `wrangler.toml`. */
export const PROJECT_DIR = join(import.meta.dirname, "../..");

/** The installed packages, with a separator at the end: the start of every path inside. */
export const PACKAGES_DIR = join(PROJECT_DIR, "node_modules") + sep;

/**
 * What Node compiles of our programs and of wrangler is kept here, types already taken out, for the next start. Removing it costs the next
 * start its time, nothing else.
 */
export const COMPILE_CACHE_DIR = join(PACKAGES_DIR, ".cache/node-compile");

/** Options of Node, before the name of a program of ours. Unlike a variable, no program that it starts inherits them. */
export const WITH_COMPILE_CACHE = ["--import", new URL("./enable-compile-cache.ts", import.meta.url).href] as const;
