/** What a killed earlier start left running on the same persist directory: two runtimes on one SQLite file corrupt it. */
import { readDevRecord, removeDevRecord } from "./dev-record.ts";
import { endProcessGroup } from "./process-group.ts";
import { type ListedProcess, listProcesses } from "./process-table.ts";
import { PACKAGES_DIR } from "./project.ts";
import { StartRefusal } from "./start-refusal.ts";

/**
 * Ends the wrangler of a dev command that is gone.
 *
 * @throws {StartRefusal} when that dev command still runs.
 */
export const endLeftovers = async (persistTo: string): Promise<void> => {
  const record = readDevRecord(persistTo);
  if (record === undefined) return;
  const processes = listProcesses();
  const holder = processes.find((process) => process.pid === record.devPid && isDevCommand(process));
  if (holder !== undefined) {
    throw new StartRefusal(
      `${persistTo} is in use by process ${holder.pid}. Stop that one, or pass another --persist-to DIR.`,
    );
  }
  if (processes.some((process) => process.groupId === record.wranglerGroupId && isOurs(process))) {
    await endProcessGroup(record.wranglerGroupId);
  }
  removeDevRecord(persistTo);
};

// Process ids are given out again, so a number alone proves nothing: the command line has to match too.
const isDevCommand = (process: ListedProcess): boolean => /\bdev\.ts\b/.test(process.command);
const isOurs = (process: ListedProcess): boolean => process.command.includes(PACKAGES_DIR);
