/** `/proc/<pid>/stat` (proc(5)). */
import { readFileSync } from "node:fs";

/** Clock ticks a second that it counts in: USER_HZ, 100 on every Linux. */
const TICKS_PER_SECOND = 100;

/** What is read from it. */
export type ProcStat = {
  readonly groupId: number;
  /** User and system time since the start of the process. */
  readonly cpuSeconds: number;
};

/** @throws {Error} when there is no such process, or no /proc. */
export const readProcStat = (pid: number): ProcStat => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field may hold spaces and parentheses; what follows it begins with the third.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { groupId: Number(fields[2]), cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND };
};
