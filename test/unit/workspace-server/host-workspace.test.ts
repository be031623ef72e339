/** The conformance suite over the host workspace: the Worker's client and the real server, over HTTP. */
import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach } from "vitest";
import { MAX_FILE_BYTES } from "../../../src/workspace/host/host-wire.ts";
import type { WorkspaceServerOptions } from "../../../src/workspace-server/workspace-server.ts";
import { type HostWorkspaceUnderTest, openHostWorkspace } from "../../support/host-workspace.ts";
import type { Plant } from "../../support/workspace/workspace-under-test.ts";
import { describeWorkspace, describeWorkspaceSearches } from "../../support/workspace-conformance.ts";

const opened: HostWorkspaceUnderTest[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

const plantIn = ({ dir, outsideDir }: HostWorkspaceUnderTest): Plant => ({
  link: (path, target) => symlink(target, join(dir, path)),
  fifo: async (path) => void (await promisify(execFile)("mkfifo", [join(dir, path)])),
  outsideFile: async (text) => {
    const path = join(outsideDir, "outside.txt");
    await writeFile(path, text);
    return path;
  },
  nonUtf8Name: (directory) =>
    writeFile(Buffer.concat([Buffer.from(`${join(dir, directory)}/`), Buffer.of(0xff), Buffer.from(".txt")]), "hit"),
});

const openWith = (options: WorkspaceServerOptions) => async () => {
  const host = await openHostWorkspace(options);
  opened.push(host);
  return { workspace: host.workspace, maxWriteBytes: MAX_FILE_BYTES, plant: plantIn(host) };
};

const open = openWith({});
const openWithout = openWith({ ripgrep: false });

describeWorkspace("the host workspace", open, open);
describeWorkspaceSearches("the host workspace without ripgrep", openWithout);
