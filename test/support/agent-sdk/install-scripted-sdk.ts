/** Puts the scripted SDK where an installed one would be. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Installs it below `dir`/node_modules. */
export const installScriptedSdk = (dir: string): void => {
  const home = join(dir, "node_modules/@anthropic-ai/claude-agent-sdk");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ version: "0.0.1", main: "sdk.mjs", type: "module" }));
  const module = pathToFileURL(join(import.meta.dirname, "scripted-sdk.ts")).href;
  writeFileSync(join(home, "sdk.mjs"), `export * from ${JSON.stringify(module)};\n`);
};
