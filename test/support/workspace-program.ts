/** The workspace server as a separate program, for what can be seen from outside: its rights and its memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { HostWorkspace } from "../../src/workspace/host/host-workspace.ts";
import { nodeFetch } from "./node-fetch.ts";

/** Who may not read everything: root reads every directory, so under root the program runs as nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const Started = z.object({ url: z.string(), token: z.string() });

/** A program that serves. */
export type WorkspaceProgram = {
  readonly workspace: HostWorkspace;
  /** The most memory that it has held since its start, in bytes; Linux. */
  peakMemory(): number;
  stop(): Promise<void>;
};

/** Serves `dir`. `asNobody` takes away the rights of root. */
export const startWorkspaceProgram = async (
  dir: string,
  stateDir: string,
  options: { readonly asNobody?: boolean } = {},
): Promise<WorkspaceProgram> => {
  const program = join(import.meta.dirname, "workspace-program-main.ts");
  const child = spawn(process.execPath, [program, dir, stateDir], {
    stdio: ["ignore", "pipe", "inherit"],
    ...(options.asNobody === true ? NOBODY : {}),
  });
  const [line]: string[] = await once(createInterface(child.stdout), "line");
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
