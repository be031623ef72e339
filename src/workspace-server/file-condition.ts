/** The condition for changing a real file: checked as late as possible, and once more at the moment of the change. */
import { type BigIntStats, lstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ABSENT, contentState, largeState, MAX_HASHED_BYTES } from "../workspace/file-state.ts";
import { showPath } from "../workspace/resolve-path.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { READ, readRange, requireFile } from "./file-calls.ts";
import { systemCode } from "./system-error.ts";

/** A change that may have a condition; `path` is the one that was given. */
export type ConditionalChange = { readonly path: string; readonly ifState?: string };

/**
 * Checks the condition for the entry `at`, a path through its held directory. Call the result right before the change, without
 * awaiting anything in between: the result checks that the entry is still the one that was read, by inode, size and times. What another
 * program does between that system call and the next is not noticed.
 *
 * @throws {WorkspaceError} `changed`, from this call or from the result when it is called.
 */
export const requireState = async (at: string, { path, ifState }: ConditionalChange): Promise<() => void> => {
  if (ifState === undefined) return () => undefined;
  const found = await stateAt(at, path);
  if (found.state !== ifState) throw changed(path);
  return () => {
    if (!isSame(found.stats, statsAt(at))) throw changed(path);
  };
};

/** @throws {WorkspaceError} `changed` when a change with a condition would go through a link. */
export const requireReal = ({ path, ifState }: ConditionalChange, real: string): void => {
  if (ifState !== undefined && path !== real) throw changed(path);
};

/** The refusal of a change whose condition does not hold. */
export const changed = (path: string): WorkspaceError =>
  new WorkspaceError("changed", `${showPath(path)} has changed in the meantime. Nothing was written; read it again.`);

const stateAt = async (at: string, path: string): Promise<{ state: string; stats: BigIntStats | undefined }> => {
  const handle = await openIfThere(at);
  if (handle === undefined) return { state: ABSENT, stats: undefined };
  try {
    const stats = await handle.stat({ bigint: true });
    requireFile(stats, path);
    const size = Number(stats.size);
    // The time as `stat` reports it, in milliseconds with a fraction.
    const large = largeState({ size, modifiedAtMs: (await handle.stat()).mtimeMs });
    return { state: size > MAX_HASHED_BYTES ? large : await contentState(await readRange(handle, 0, size)), stats };
  } finally {
    await handle.close();
  }
};

const openIfThere = async (at: string): Promise<FileHandle | undefined> => {
  try {
    return await open(at, READ);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

const statsAt = (at: string): BigIntStats | undefined => lstatSync(at, { bigint: true, throwIfNoEntry: false });

const isSame = (one: BigIntStats | undefined, other: BigIntStats | undefined): boolean =>
  one?.dev === other?.dev &&
  one?.ino === other?.ino &&
  one?.size === other?.size &&
  one?.mtimeNs === other?.mtimeNs &&
  one?.ctimeNs === other?.ctimeNs;
