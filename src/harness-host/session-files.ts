/** The SDK's session files: what a resume needs. They are read and put back in pieces, since the Worker keeps a copy of each. */
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { WorkspaceError } from "../workspace/workspace.ts";
import { readRange } from "../workspace-server/file-calls.ts";

/** A piece of a file, and the whole file's size in bytes. */
export type SessionPiece = { readonly bytes: Uint8Array; readonly size: number };

/** The home of the SDK and its commands, below the state directory. */
export const sdkHomeIn = (stateDir: string): string => join(stateDir, "harness", "home");

/** Where the SDK keeps its files below its home. The SDK composes the whole path (NFC), whatever form the disk has. */
export const sdkConfigIn = (home: string): string => join(home, ".claude").normalize("NFC");

/** Where turns have their temporary files, below the state directory: a directory for each. */
export const temporaryDirsIn = (stateDir: string): string => join(stateDir, "harness", "tmp");

/** The files below one home of the SDK, for one workspace. */
export class SessionFiles {
  readonly #config: string;
  readonly #dir: string;

  constructor(home: string, dir: string) {
    this.#config = sdkConfigIn(home);
    this.#dir = dir;
  }

  /** At most `maxBytes` from `offset`. A session without a file is empty. */
  async read(sessionId: string, offset: number, maxBytes: number): Promise<SessionPiece> {
    const path = this.#path(sessionId);
    if (path === undefined || !existsSync(path)) return { bytes: new Uint8Array(), size: 0 };
    const handle = await open(path, "r");
    try {
      const { size } = await handle.stat();
      return { bytes: await readRange(handle, offset, Math.max(0, Math.min(maxBytes, size - offset))), size };
    } finally {
      await handle.close();
    }
  }

  /**
   * Writes a piece at the file's end. A piece at offset 0 replaces the file.
   *
   * @throws {WorkspaceError} `changed` for another offset; `refused` where it is not known how the SDK names the workspace.
   */
  async restore(sessionId: string, offset: number, bytes: Uint8Array): Promise<void> {
    const path = this.#path(sessionId);
    if (path === undefined) throw new WorkspaceError("refused", NAME_UNKNOWN);
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
    for (const dir of [...this.#projects(), ...OTHER_DIRS.map((name) => join(this.#config, name))]) {
      if (!existsSync(dir)) continue;
      for (const name of readdirSync(dir).filter((one) => one.startsWith(sessionId))) {
        rmSync(join(dir, name), { recursive: true, force: true });
      }
    }
  }

  /** Where the SDK looks for the session's file, if known. Like the SDK, this finds no file of an earlier directory of the workspace. */
  #path(sessionId: string): string | undefined {
    const file = `${sessionId}.jsonl`;
    const dir = realpathSync.native(this.#dir).normalize("NFC");
    const name = dir.replace(/[^a-zA-Z0-9]/g, "-");
    if (name.length <= MAX_NAME) return join(this.#config, "projects", name, file);
    const beginning = `${name.slice(0, MAX_NAME)}-`;
    const paths = this.#projects().flatMap((one) => (basename(one).startsWith(beginning) ? [join(one, file)] : []));
    return paths.find((path) => existsSync(path)) ?? (paths.length === 1 ? paths[0] : undefined);
  }

  #projects(): string[] {
    const projects = join(this.#config, "projects");
    return existsSync(projects) ? readdirSync(projects).map((name) => join(projects, name)) : [];
  }
}

/** Other directories in which the SDK keeps things under a session's id (seen in 2.1.330). */
const OTHER_DIRS = ["session-env", "file-history", "tasks", "todos", "debug"];

/**
 * How much of a longer name the SDK keeps, in characters. A hash follows, which Bun and Node make differently, so such a directory is only
 * found once the SDK has made it (claude-agent-sdk-python, `_internal/sessions.py`).
 */
const MAX_NAME = 200;

const NAME_UNKNOWN =
  "The agent's session cannot be put back yet: the workspace's path is long, and how the SDK shortens it shows with its first session here. Send a message in a new chat, then this one again.";
