/** What Node compiles of our programs and of wrangler is kept, types already taken out, for the next start. */
import { join } from "node:path";
import { PACKAGES_DIR } from "./project.ts";

/** Removing it costs the next start its time, nothing else. */
export const COMPILE_CACHE_DIR = join(PACKAGES_DIR, ".cache/node-compile");

/** Options of Node, before the name of a program of ours. Unlike a variable, no program that it starts inherits them. */
export const WITH_COMPILE_CACHE = ["--import", new URL("./enable-compile-cache.ts", import.meta.url).href] as const;
