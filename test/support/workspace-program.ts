/** The workspace server as a separate program, for what can be seen from outside: its rights and its memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { HostWorkspace } from "../../src/workspace/host/host-workspace.ts";
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
  /** The most memory that it has held since its start, in bytes; Linux. */
  peakMemory(): number;
  stop(): Promise<void>;
};

/** Serves `dir`, without root's right to read and write everything. @throws {Error} when it ends before it serves. */
export const startWorkspaceProgram = async (dir: string, stateDir: string): Promise<WorkspaceProgram> => {
  const program = join(import.meta.dirname, "workspace-program-main.ts");
  const [command = "", ...args] = [...WITHOUT_RIGHTS, process.execPath, program, dir, stateDir];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The workspace server ended with ${code} before it served.`);
  });
  const [line]: string[] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  const address = Started.parse(JSON.parse(line ?? ""));
  return {
    workspace: new HostWorkspace(address, nodeFetch),
    peakMemory: () =>
      Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) * 1_024,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
};
