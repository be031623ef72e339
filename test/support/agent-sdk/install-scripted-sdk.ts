/** Puts the scripted SDK where an installed one would be. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The version that it says it has: later than each real one that may run. */
export const SCRIPTED_VERSION = "99.0.1";

/** Installs it below `dir`/node_modules. */
export const installScriptedSdk = (dir: string, version = SCRIPTED_VERSION): void => {
  const home = join(dir, "node_modules/@anthropic-ai/claude-agent-sdk");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ version, main: "sdk.mjs", type: "module" }));
  const module = pathToFileURL(join(import.meta.dirname, "scripted-sdk.ts")).href;
  writeFileSync(join(home, "sdk.mjs"), `export * from ${JSON.stringify(module)};\n`);
};
