/** A host workspace in a directory of its own: the real server, and the client that the Worker uses. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROTOCOL, PROTOCOL_HEADER } from "../../src/workspace/host/host-wire.ts";
import { HostWorkspace } from "../../src/workspace/host/host-workspace.ts";
import { IdleWorkers } from "../../src/workspace-server/tree/idle-workers.ts";
import {
  startWorkspaceServer,
  type WorkspaceServer,
  type WorkspaceServerOptions,
} from "../../src/workspace-server/workspace-server.ts";
import { nodeFetch } from "./node-fetch.ts";

/** A server over an empty directory, with its state beside it. */
export type HostWorkspaceUnderTest = {
  readonly server: WorkspaceServer;
  readonly workspace: HostWorkspace;
  /** The directory it serves. */
  readonly dir: string;
  /** Its `--persist-to`. */
  readonly stateDir: string;
  /** A directory that is not served, and is removed with the others. */
  readonly outsideDir: string;
  /** Stops the server and removes everything. */
  close(): Promise<void>;
};

/** Shared by all servers of a test file: starting a worker takes longer than most tests. */
const workers = new IdleWorkers();

/** Starts one. `stateInDir` puts the state into the served directory, as a person may. */
export const openHostWorkspace = async (
  options: { readonly stateInDir?: boolean } & WorkspaceServerOptions = {},
): Promise<HostWorkspaceUnderTest> => {
  const parent = await mkdtemp(join(tmpdir(), "tally-workspace-"));
  const [dir, outsideDir] = [join(parent, "root"), join(parent, "outside")];
  const stateDir = options.stateInDir === true ? join(dir, "state") : join(parent, "state");
  await Promise.all([mkdir(dir), mkdir(outsideDir)]);
  await mkdir(stateDir);
  const server = await startWorkspaceServer(dir, stateDir, { workers, ...options });
  return {
    server,
    workspace: new HostWorkspace(server, nodeFetch),
    dir,
    stateDir,
    outsideDir,
    close: async () => {
      await server.close();
      await rm(parent, { recursive: true, force: true });
    },
  };
};

/** The headers of a call that is made without the client. */
export const hostHeaders = (token: string): Record<string, string> => ({
  ...{ authorization: `Bearer ${token}`, [PROTOCOL_HEADER]: String(PROTOCOL) },
});
