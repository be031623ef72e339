/** Loaded before a program (`node --import`): see `project.ts`. Where the directory cannot be written, nothing is kept. */
import { enableCompileCache } from "node:module";
import { COMPILE_CACHE_DIR } from "./project.ts";

enableCompileCache(COMPILE_CACHE_DIR);
