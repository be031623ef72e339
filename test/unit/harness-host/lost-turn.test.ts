/** An agent's process that ends before its answer: the terminal of whoever serves it says why, since no screen may. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startWorkspaceProgram } from "../../support/workspace-program.ts";

const NO_BINARY = "Native CLI binary for linux-x64 not found.";

it.each([
  ["throws", `throw new Error("${NO_BINARY}")`],
  [
    "ends its process",
    `process.stderr.write("Error: ${NO_BINARY}\\n", () => process.exit(1)); await new Promise(() => 0)`,
  ],
])("the terminal says why an SDK that %s has lost a turn", async (_, script) => {
  const parent = mkdtempSync(join(tmpdir(), "tally-lost-turn-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const [dir, stateDir, entry] = [join(parent, "root"), join(parent, "state"), join(parent, "sdk.mjs")];
  for (const one of [dir, stateDir]) mkdirSync(one);
  writeFileSync(entry, `export async function* query() { ${script}; }`);
  const sdk = { sdk: { version: "0.0.1", entry }, credential: { type: "api_key", secret: "none" } } as const;
  const { runTurn, errors, stop } = await startWorkspaceProgram(dir, stateDir, sdk);
  onTestFinished(stop);
  expect(await runTurn("Hi")).toEqual({ type: "ended", end: "lost", message: `Error: ${NO_BINARY}` });
  await stop();
  expect(errors()).toBe(`Workspace server: the agent's process ended before its answer: Error: ${NO_BINARY}\n`);
});
