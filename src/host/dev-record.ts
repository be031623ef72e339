/** What a running dev command leaves in its persist directory, so that the next start can end what a `kill -9` left over. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The dev command's own process, and the process group of the wrangler it started. */
export type DevRecord = { readonly devPid: number; readonly wranglerGroupId: number };

const pathIn = (persistTo: string): string => join(persistTo, "dev-processes");

/** Two numbers on one line. */
export const writeDevRecord = (persistTo: string, record: DevRecord): void =>
  writeFileSync(pathIn(persistTo), `${record.devPid} ${record.wranglerGroupId}\n`);

/** The record of the last start, or `undefined` when it ended in order. */
export const readDevRecord = (persistTo: string): DevRecord | undefined => {
  try {
    const [, devPid, groupId] = /^([1-9]\d*) ([1-9]\d*)\n$/.exec(readFileSync(pathIn(persistTo), "utf8")) ?? [];
    return devPid === undefined ? undefined : { devPid: Number(devPid), wranglerGroupId: Number(groupId) };
  } catch {
    // No file: nothing was left behind.
    return undefined;
  }
};

/** Forgets the last start. */
export const removeDevRecord = (persistTo: string): void => rmSync(pathIn(persistTo), { force: true });
