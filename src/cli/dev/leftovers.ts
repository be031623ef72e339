/** Ends what an earlier start that was killed left running on the same persist directory: two runtimes on one SQLite file corrupt it. */
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { endProcessGroup, type ListedProcess, listProcesses } from "../../process/process-group.ts";
import { PACKAGES_DIR } from "../../process/project.ts";
import { StartRefusal } from "../../process/run-program.ts";
import { NO_LINKS, systemCode } from "../../workspace-server/system-error.ts";

/** The dev command's own process, and the process group of its wrangler. Until it has started one, both are its own number. */
export type DevRecord = { readonly devPid: number; readonly wranglerGroupId: number };

/**
 * A record as a later start reads it: with the machine's name, and when the two processes started (decision 0227). Each of these
 * is "" where it is unknown, as in an earlier version's record.
 */
type KeptRecord = DevRecord & { readonly host: string; readonly devStartedAt: string; readonly groupStartedAt: string };

const pathIn = (persistTo: string): string => join(persistTo, "dev-processes");

/** Two numbers on one line, then the other facts, each on its own. */
const textOf = ({ devPid, wranglerGroupId }: DevRecord): string => {
  const processes = listProcesses();
  const starts = [devPid, wranglerGroupId].map((id) => processes.find(({ pid }) => pid === id)?.startedAt ?? "");
  return [`${devPid} ${wranglerGroupId}`, hostname(), ...starts, ""].join("\n");
};

const RECORD = /^([1-9]\d*) ([1-9]\d*)\n(?:(.*)\n(.*)\n(.*)\n)?$/;

/**
 * Takes a persist directory for this process, by a record that has this process's number in place of wrangler's. First ends what an
 * earlier start has left behind.
 *
 * @throws {StartRefusal} when another dev command has the directory, or it cannot be written.
 */
export const claimDirectory = async (persistTo: string): Promise<void> => {
  await endLeftovers(persistTo);
  const isTaken = writing(persistTo, () => takeRecord(persistTo));
  if (isTaken) return;
  // Another start was faster.
  await endLeftovers(persistTo);
  throw new StartRefusal(`${persistTo} was in use by another start, which has ended. Start again.`);
};

const writing = <Value>(persistTo: string, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new StartRefusal(`--persist-to: ${persistTo} cannot be written (${code}). Name another directory.`, 2);
  }
};

/** False when there is a record already. */
const takeRecord = (persistTo: string): boolean => {
  const own = writeOwn(persistTo, { devPid: process.pid, wranglerGroupId: process.pid });
  try {
    giveName(own, pathIn(persistTo));
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
};

/** Unlike a copy, a hard link is there with the whole file, or not at all. */
const giveName = (own: string, path: string): void => {
  try {
    linkSync(own, path);
  } catch (error) {
    if (!NO_LINKS.includes(systemCode(error) ?? "")) throw error;
    copyFileSync(own, path, constants.COPYFILE_EXCL);
  }
};

/** Replaces the record of a running dev command, so that the next start can end what a `kill -9` left over. */
export const writeDevRecord = (persistTo: string, record: DevRecord): void =>
  renameSync(writeOwn(persistTo, record), pathIn(persistTo));

/** Writes a record to a file that no other process writes; returns its path. */
const writeOwn = (persistTo: string, record: DevRecord): string => {
  const path = `${pathIn(persistTo)}.${process.pid}`;
  writeFileSync(path, textOf(record));
  return path;
};

const textIn = (persistTo: string): string | undefined => {
  try {
    return readFileSync(pathIn(persistTo), "utf8");
  } catch {
    // No file: nothing was left behind.
    return undefined;
  }
};

/** The record of the last start, or `undefined` when it ended normally, or was cut off with the machine's power. */
export const readDevRecord = (persistTo: string): KeptRecord | undefined => {
  const [, devPid, groupId, host = "", devStartedAt = "", groupStartedAt = ""] =
    RECORD.exec(textIn(persistTo) ?? "") ?? [];
  if (devPid === undefined) return undefined;
  return { devPid: Number(devPid), wranglerGroupId: Number(groupId), host, devStartedAt, groupStartedAt };
};

/** Deletes the record of the last start. */
export const removeDevRecord = (persistTo: string): void => rmSync(pathIn(persistTo), { force: true });

/**
 * Ends the wrangler of a dev command that is gone.
 *
 * @throws {StartRefusal} when that dev command is still running, or may be: the processes of another machine cannot be seen from here.
 */
const endLeftovers = async (persistTo: string): Promise<void> => {
  const text = textIn(persistTo);
  if (text === undefined) return;
  const record = readDevRecord(persistTo);
  if (record?.host && record.host !== hostname()) {
    throw new StartRefusal(
      `${inUse(persistTo, `${record.devPid} of the machine ${record.host}`)} If it is not running any more, delete ${pathIn(persistTo)}.`,
    );
  }
  const processes = listProcesses();
  if (record && processes.some((process) => isHolder(process, record))) {
    throw new StartRefusal(inUse(persistTo, String(record.devPid)));
  }
  if (record && isGroupLeft(record, processes)) await endProcessGroup(record.wranglerGroupId);
  // Leaves the record of another start, which has ended the same processes meanwhile.
  if (textIn(persistTo) === text) writing(persistTo, () => removeDevRecord(persistTo));
};

const inUse = (persistTo: string, holder: string): string =>
  `${persistTo} is in use by process ${holder}. Stop that process, or pass another --persist-to DIR.`;

/** This process never counts as the holder: in a container it can get the number of the one that was killed. */
const isHolder = (one: ListedProcess, { devPid, devStartedAt }: KeptRecord): boolean =>
  one.pid === devPid && one.pid !== process.pid && isSame(one, devStartedAt) && /\bdev\.ts\b/.test(one.command);

/** Never this process's own group, nor one whose first process is a different one: while a group exists, its number is not given out. */
const isGroupLeft = ({ wranglerGroupId: id, groupStartedAt }: KeptRecord, processes: readonly ListedProcess[]) => {
  const group = processes.filter(({ groupId }) => groupId === id);
  return (
    group.some(({ command }) => command.includes(PACKAGES_DIR)) &&
    group.every((one) => one.pid !== process.pid && (one.pid !== id || isSame(one, groupStartedAt)))
  );
};

// Without a known start time the number alone proves nothing, so the command line is looked at as well.
const isSame = ({ startedAt }: ListedProcess, known: string): boolean => known === "" || known === startedAt;
