/** CPU time of a process group. */
import { readdirSync } from "node:fs";
import { type ProcStat, readProcStat } from "../support/proc-stat.ts";

/** User and system time of its living processes since their start, in ms; 0 where there is no /proc. */
export const groupCpuMs = (groupId: number): number =>
  pids()
    .flatMap(statsOf)
    .filter((stat) => stat.groupId === groupId)
    .reduce((sum, { cpuSeconds }) => sum + cpuSeconds * 1_000, 0);

const pids = (): readonly number[] => {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** None of a process that has just ended. */
const statsOf = (pid: number): readonly ProcStat[] => {
  try {
    return [readProcStat(pid)];
  } catch {
    return [];
  }
};
