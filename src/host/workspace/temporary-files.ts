/** Temporary files of writes: written down before they are made, so that those of a killed start can be removed. */
import { mkdirSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { holdDirectory } from "./held-directory.ts";
import { systemCode } from "./system-error.ts";
import { temporaryName, type WorkspaceRoot } from "./workspace-root.ts";

/** A record holds the directory of its file, by the names that lead there from the root; its name is the file's. */
const Parents = z.array(z.string());

const recordsOf = (root: WorkspaceRoot): string => join(root.stateDir, "writes");

/** Gives `work` a name for a temporary file in the directory `parents`. `work` leaves no such file behind. */
export const withTemporaryName = async (
  root: WorkspaceRoot,
  parents: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<void> => {
  const name = temporaryName();
  const record = join(recordsOf(root), name);
  await writeFile(record, JSON.stringify(parents), { flag: "wx" });
  try {
    await work(name);
  } finally {
    await rm(record);
  }
};

/** Removes what an earlier start left behind, before the first write of this one. */
export const removeLeftFiles = async (root: WorkspaceRoot): Promise<void> => {
  const records = recordsOf(root);
  mkdirSync(records, { recursive: true, mode: 0o700 });
  for (const name of await readdir(records)) {
    await removeLeftFile(root, join(records, name), name);
    await rm(join(records, name));
  }
};

const removeLeftFile = async (root: WorkspaceRoot, record: string, name: string): Promise<void> => {
  try {
    const parents = Parents.parse(JSON.parse(await readFile(record, "utf8")));
    const directory = await holdDirectory(root.dir, parents);
    await rm(directory.at(name), { force: true });
    await directory.close();
  } catch (error) {
    // Cut off in mid-record: the file was not made yet. Or its directory is gone since, or may not be entered.
    if (!(error instanceof SyntaxError) && systemCode(error) === undefined) throw error;
  }
};
