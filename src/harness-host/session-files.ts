/** The SDK's session files: what a resume needs. They are read and put back in pieces, since the Worker keeps a copy of each. */
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { WorkspaceError } from "../workspace/workspace.ts";
import { readRange } from "../workspace-server/file-calls.ts";

/** A piece of a file, and the whole file's size in bytes. */
export type SessionPiece = { readonly bytes: Uint8Array; readonly size: number };

/** The home of the SDK and its commands, below the state directory. */
export const sdkHomeIn = (stateDir: string): string => join(stateDir, "harness", "home");

/** Where turns have their temporary files, below the state directory: a directory for each. */
export const temporaryDirsIn = (stateDir: string): string => join(stateDir, "harness", "tmp");

/** The files below one home of the SDK, for one workspace. */
export class SessionFiles {
  readonly #home: string;
  readonly #dir: string;

  constructor(home: string, dir: string) {
    this.#home = home;
    this.#dir = dir;
  }

  /** At most `maxBytes` from `offset`. A session without a file is empty. */
  async read(sessionId: string, offset: number, maxBytes: number): Promise<SessionPiece> {
    const path = this.#path(sessionId);
    if (!existsSync(path)) return { bytes: new Uint8Array(), size: 0 };
    const handle = await open(path, "r");
    try {
      const { size } = await handle.stat();
      return { bytes: await readRange(handle, offset, Math.max(0, Math.min(maxBytes, size - offset))), size };
    } finally {
      await handle.close();
    }
  }

  /** Writes a piece at the file's end; at 0 it replaces the file. @throws {WorkspaceError} `changed` for another offset. */
  async restore(sessionId: string, offset: number, bytes: Uint8Array): Promise<void> {
    const path = this.#path(sessionId);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (offset !== 0 && offset !== size) {
      throw new WorkspaceError("changed", `The session's file has ${size} bytes. Restore it from the beginning.`);
    }
    const handle = await open(path, offset === 0 ? "w" : "a", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Deletes every file and directory that is named after the session: its file, outputs and snapshots. */
  delete(sessionId: string): void {
    for (const dir of [...this.#projects(), ...OTHER_DIRS.map((name) => join(this.#home, ".claude", name))]) {
      if (!existsSync(dir)) continue;
      for (const name of readdirSync(dir).filter((one) => one.startsWith(sessionId))) {
        rmSync(join(dir, name), { recursive: true, force: true });
      }
    }
  }

  /** Where the SDK looks for it. A file of an earlier directory of the workspace is not found, as by the SDK itself. */
  #path(sessionId: string): string {
    return join(this.#home, ".claude", "projects", projectName(realpathSync(this.#dir)), `${sessionId}.jsonl`);
  }

  #projects(): string[] {
    const projects = join(this.#home, ".claude", "projects");
    return existsSync(projects) ? readdirSync(projects).map((name) => join(projects, name)) : [];
  }
}

/** Where else the SDK keeps things under a session's id (seen in 2.1.330). */
const OTHER_DIRS = ["session-env", "file-history", "tasks", "todos", "debug"];

/** The SDK's name for a directory (seen in 2.1.330; it shortens names over 200 characters, which is not followed here). */
const projectName = (dir: string): string => dir.replace(/[^a-zA-Z0-9]/g, "-");
