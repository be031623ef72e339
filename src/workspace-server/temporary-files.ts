/** Temporary files of writes: recorded before they are created, so that those of a killed start can be removed. */
import { mkdirSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../contract/parse-json.ts";
import { systemCode } from "./system-error.ts";
import { holdDirectory } from "./tree/held-directory.ts";
import { temporaryName, type WorkspaceRoot } from "./workspace-root.ts";

/** A record contains the directory of its file, as the names from the root to that directory. The record has the file's name. */
const Parents = z.array(z.string());

/** Creates the directory if it is missing: somebody may delete the state while the server runs. */
const openRecords = (root: WorkspaceRoot): string => {
  const records = join(root.stateDir, "writes");
  mkdirSync(records, { recursive: true, mode: 0o700 });
  return records;
};

/** Passes `work` a name for a temporary file in the directory `parents`. `work` leaves no such file behind. */
export const withTemporaryName = async (
  root: WorkspaceRoot,
  parents: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<void> => {
  const name = temporaryName();
  const record = join(openRecords(root), name);
  await writeFile(record, JSON.stringify(parents), { flag: "wx" });
  try {
    await work(name);
  } finally {
    // The record is gone already if the state was deleted in between. The file is written nevertheless.
    await rm(record, { force: true });
  }
};

/** Removes what an earlier start left behind, before the first write of this one. */
export const removeLeftFiles = async (root: WorkspaceRoot): Promise<void> => {
  const records = openRecords(root);
  for (const name of await readdir(records)) {
    if (await removeLeftFile(root, join(records, name), name)) await rm(join(records, name));
  }
};

/** What an error says when there is no file any more, because its directory is gone. */
const GONE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/** Returns whether nothing is left. A file in a directory that may not be entered or written is left for the next start. */
const removeLeftFile = async (root: WorkspaceRoot, record: string, name: string): Promise<boolean> => {
  try {
    const parents = Parents.parse(parseJson(await readFile(record, "utf8")));
    const directory = await holdDirectory(root.dir, parents);
    try {
      await rm(directory.at(name), { force: true });
    } finally {
      // A handle that is collected as garbage while it is open ends the server.
      await directory.close();
    }
    return true;
  } catch (error) {
    // A record that is not complete: its file had not been created yet.
    if (error instanceof SyntaxError) return true;
    const code = systemCode(error);
    if (code === undefined) throw error;
    return GONE.has(code);
  }
};
