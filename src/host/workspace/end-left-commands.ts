/** Ends commands that a killed earlier start left running. */
import { closeSync } from "node:fs";
import { endProcessGroup } from "../process-group.ts";
import { type ListedProcess, listProcesses } from "../process-table.ts";
import { CallRecords, type RunningGroup } from "./call-records.ts";
import { TERM_GRACE_MS } from "./shell-process.ts";
import { endStrays, markOf } from "./strays.ts";

/** Resolves when none of them runs. `recordsDir` is the directory of their records, made when it is missing. */
export const endLeftCommands = async (recordsDir: string): Promise<void> => {
  const records = new CallRecords(recordsDir);
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
 * Process ids are given out again, but no new process gets a number that a group still has. So with its first process
 * gone the group is the one we know, and with a process of that number it is when that one started at the same time.
 */
const isStillThatGroup = ({ groupId, startedAt }: RunningGroup, processes: readonly ListedProcess[]): boolean => {
  const first = processes.find(({ pid }) => pid === groupId);
  return first === undefined ? processes.some((one) => one.groupId === groupId) : first.startedAt === startedAt;
};
