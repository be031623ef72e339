/** CPU time of a process group, from /proc (proc(5)). */
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks a second that /proc counts in: USER_HZ, 100 on every Linux. */
const MS_PER_TICK = 10;

/** User and system time of its living processes since their start, in ms; 0 where there is no /proc. */
export const groupCpuMs = (groupId: number): number =>
  pids()
    .map(statOf)
    .filter((fields) => Number(fields[2]) === groupId)
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK, 0);

const pids = (): readonly string[] => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/** Fields from the third on: the second may hold spaces and parentheses. None of a process that has just ended. */
const statOf = (pid: string): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
};
