/** Starts the program that serves the workspace under `npm run dev`, without the keys that this process has. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import type { SdkSetup } from "../../harness-host/agent/agent-start.ts";
import { WITH_COMPILE_CACHE } from "../../process/project.ts";
import { StartRefusal } from "../../process/run-program.ts";

const PROGRAM = join(import.meta.dirname, "serve-dir.ts");

/** What the program needs to find and run others, and nothing that could be a secret. */
const PASSED_ON = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"] as const;

const Address = z.object({ url: z.string(), token: z.string() });

/** A running workspace program. */
export type WorkspaceProcess = z.infer<typeof Address> & {
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the agent's commands, then the program. */
  close(): Promise<void>;
};

/**
 * Serves `dir`, and the vendor's agent SDK where it is given. `stateDir`, the dev command's `--persist-to`, is guarded.
 *
 * @throws {StartRefusal} when the program ends before it serves; it has then said why.
 */
export const startWorkspaceProcess = async (
  dir: string,
  stateDir: string,
  sdk?: SdkSetup,
): Promise<WorkspaceProcess> => {
  const { env } = process;
  const child = spawn(process.execPath, [...WITH_COMPILE_CACHE, PROGRAM, dir, stateDir], {
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    stdio: ["pipe", "pipe", "inherit"],
  });
  // By the pipe, so that no command finds the credential in the environment of the program that starts it.
  child.stdin.write(`${JSON.stringify({ sdk: sdk ?? null })}\n`);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([first]) => String(first)),
    ended.then(() => undefined),
  ]);
  if (line === undefined) throw new StartRefusal(`The workspace ${dir} could not be served.`);
  return {
    ...Address.parse(parseJson(line)),
    ended,
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
