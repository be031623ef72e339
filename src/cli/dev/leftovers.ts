/** Ends what an earlier start that was killed left running on the same persist directory: two runtimes on one SQLite file corrupt it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endProcessGroup, type ListedProcess, listProcesses } from "../../process/process-group.ts";
import { PACKAGES_DIR } from "../../process/project.ts";
import { StartRefusal } from "../../process/run-program.ts";

/** The dev command's own process, and the process group of the wrangler it started. */
export type DevRecord = { readonly devPid: number; readonly wranglerGroupId: number };

const pathIn = (persistTo: string): string => join(persistTo, "dev-processes");

/** Writes the record of a running dev command, two numbers on one line, so that the next start can end what a `kill -9` left over. */
export const writeDevRecord = (persistTo: string, record: DevRecord): void =>
  writeFileSync(pathIn(persistTo), `${record.devPid} ${record.wranglerGroupId}\n`);

/** The record of the last start, or `undefined` when it ended normally. */
export const readDevRecord = (persistTo: string): DevRecord | undefined => {
  try {
    const [, devPid, groupId] = /^([1-9]\d*) ([1-9]\d*)\n$/.exec(readFileSync(pathIn(persistTo), "utf8")) ?? [];
    return devPid === undefined ? undefined : { devPid: Number(devPid), wranglerGroupId: Number(groupId) };
  } catch {
    // No file: nothing was left behind.
    return undefined;
  }
};

/** Deletes the record of the last start. */
export const removeDevRecord = (persistTo: string): void => rmSync(pathIn(persistTo), { force: true });

/**
 * Ends the wrangler of a dev command that is gone.
 *
 * @throws {StartRefusal} when that dev command is still running.
 */
export const endLeftovers = async (persistTo: string): Promise<void> => {
  const record = readDevRecord(persistTo);
  if (record === undefined) return;
  const processes = listProcesses();
  const holder = processes.find((process) => process.pid === record.devPid && isDevCommand(process));
  if (holder !== undefined) {
    throw new StartRefusal(
      `${persistTo} is in use by process ${holder.pid}. Stop that process, or pass another --persist-to DIR.`,
    );
  }
  if (processes.some((process) => process.groupId === record.wranglerGroupId && isOurs(process))) {
    await endProcessGroup(record.wranglerGroupId);
  }
  removeDevRecord(persistTo);
};

// Process ids are reused, so a number alone proves nothing: the command line must match too.
const isDevCommand = (process: ListedProcess): boolean => /\bdev\.ts\b/.test(process.command);

const isOurs = (process: ListedProcess): boolean => process.command.includes(PACKAGES_DIR);
