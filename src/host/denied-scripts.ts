/** Whether npm kept to `allowScripts` of package.json. One that does not know the field runs every package's install scripts. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const Project = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

/** What the scripts of the denied packages make: their native part. */
const MADE_BY_SCRIPTS = ["build", "prebuilds"] as const;

/** The packages of `projectDir` whose scripts ran though they are denied, in the order of package.json. */
export const findDeniedScriptsThatRan = (projectDir: string): string[] => {
  const project = Project.parse(JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")));
  return Object.entries(project.allowScripts).flatMap(([name, isAllowed]) => {
    const hasRun = MADE_BY_SCRIPTS.some((made) => existsSync(join(projectDir, "node_modules", name, made)));
    return !isAllowed && hasRun ? [name] : [];
  });
};

/** The line that says so, with its end; "" where npm kept to it. */
export const deniedScriptsLine = (names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `npm has run install scripts that package.json denies: ${names.join(", ")}. npm 12 and newer keep to allowScripts; run npm ci with one.\n`;
