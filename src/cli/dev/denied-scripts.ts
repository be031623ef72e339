/**
 * Checks whether npm obeyed `allowScripts` of package.json. A version that does not know the field runs every package's install scripts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";

const Project = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

/** What the scripts of the denied packages create: their native part. */
const MADE_BY_SCRIPTS = ["build", "prebuilds"] as const;

/** The packages of `projectDir` whose scripts ran although they are denied, in the order of package.json. */
export const findDeniedScriptsThatRan = (projectDir: string): string[] => {
  const project = Project.parse(parseJson(readFileSync(join(projectDir, "package.json"), "utf8")));
  return Object.entries(project.allowScripts).flatMap(([name, isAllowed]) => {
    const hasRun = MADE_BY_SCRIPTS.some((made) => existsSync(join(projectDir, "node_modules", name, made)));
    return !isAllowed && hasRun ? [name] : [];
  });
};

/** The line that says so, with a line end; "" when npm obeyed. */
export const deniedScriptsLine = (names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `npm has run install scripts that package.json denies: ${names.join(", ")}. npm 12 and newer obey allowScripts; run npm ci with one of them.\n`;
