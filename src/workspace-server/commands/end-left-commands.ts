/** Ends commands that an earlier start, which was killed, left running. */
import { closeSync } from "node:fs";
import { endProcessGroup, type ListedProcess, listProcesses } from "../../process/process-group.ts";
import { CommandRecords, type RunningGroup } from "../command-records.ts";
import { TERM_GRACE_MS } from "./shell-process.ts";
import { endStrays, markOf } from "./strays.ts";

/** Resolves when none of these commands is running. `recordsDir` is the directory of their records; it is created if missing. */
export const endLeftCommands = async (recordsDir: string): Promise<void> => {
  const records = new CommandRecords(recordsDir);
  const processes = listProcesses();
  const left = records.leftGroups().filter((group) => isStillThatGroup(group, processes));
  await Promise.all(left.map(({ groupId }) => endProcessGroup(groupId, TERM_GRACE_MS)));
  for (const descriptor of records.openLeft()) {
    await endStrays(markOf(descriptor), TERM_GRACE_MS);
    closeSync(descriptor);
  }
  records.forgetLeftGroups();
};

/**
 * Process ids are reused, but a new process never gets the number of a group that still exists. So if the group's first process
 * is gone, the group is the recorded one; if a process has that number, the group is ours only if that process started then.
 */
const isStillThatGroup = ({ groupId, startedAt }: RunningGroup, processes: readonly ListedProcess[]): boolean => {
  const first = processes.find(({ pid }) => pid === groupId);
  return first === undefined ? processes.some((one) => one.groupId === groupId) : first.startedAt === startedAt;
};
