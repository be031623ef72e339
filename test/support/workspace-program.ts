/** The workspace server as a separate program, for what can be seen from outside: its rights and its memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { HARNESS_PATH } from "../../src/harness/agent-sdk/host-wire.ts";
import type { SdkSetup } from "../../src/harness-host/agent/agent-start.ts";
import { PROJECT_DIR } from "../../src/process/project.ts";
import { HostWorkspace } from "../../src/workspace/host/host-workspace.ts";
import { hostHeaders } from "./host-workspace.ts";
import { nodeFetch } from "./node-fetch.ts";

/**
 * What comes before the program where root must not read what is closed to it. Another user might not reach this checkout, for example
 * one below /root.
 */
const WITHOUT_RIGHTS = process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : [];

const Started = z.object({ url: z.string(), token: z.string() });

/** A program that serves. */
export type WorkspaceProgram = {
  readonly workspace: HostWorkspace;
  /** Runs a turn of the agent SDK that it was given; resolves with its last line. */
  runTurn(prompt: string): Promise<unknown>;
  /** The most memory that it has held since its start, in bytes; Linux. */
  peakMemory(): number;
  /** What it has written to its standard error: all of it once it has been stopped. */
  errors(): string;
  stop(): Promise<void>;
};

/** Serves `dir`, without root's right to read and write everything. @throws {Error} when it ends before it serves. */
export const startWorkspaceProgram = async (
  dir: string,
  stateDir: string,
  sdk: SdkSetup | null = null,
): Promise<WorkspaceProgram> => {
  const program = join(PROJECT_DIR, "src/cli/dev/serve-dir.ts");
  const [command = "", ...args] = [...WITHOUT_RIGHTS, process.execPath, program, dir, stateDir];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "close");
  const tooEarly = ended.then(([code]) => {
    throw new Error(`The workspace server ended with ${code} before it served.\n${errors}`);
  });
  // Once it serves, its end is looked at by `stop`.
  tooEarly.catch(() => undefined);
  child.stdin.write(`${JSON.stringify({ sdk })}\n`);
  const [line]: string[] = await Promise.race([once(createInterface(child.stdout), "line"), tooEarly]);
  const address = Started.parse(JSON.parse(line ?? ""));
  return {
    runTurn: async (prompt) => {
      const turn = { turnId: "turn", sessionId: crypto.randomUUID(), begin: { type: "new", prompt }, tools: [] };
      const request = { method: "POST", headers: hostHeaders(address.token), body: JSON.stringify(turn) };
      const answer = await nodeFetch(`${address.url}/${HARNESS_PATH}turn`, request);
      return JSON.parse((await answer.text()).trimEnd().split("\n").at(-1) ?? "");
    },
    workspace: new HostWorkspace(address, nodeFetch),
    peakMemory: () =>
      Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) * 1_024,
    errors: () => errors,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
