/** The processes of this machine: from /proc where there is one, because small images have no `ps`. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process that runs. One that has ended and waits to be collected (state Z) is left out. */
export type ListedProcess = {
  readonly pid: number;
  /** Process group, named after the pid of the process that founded it. */
  readonly groupId: number;
  /** The program with its arguments, separated by spaces. */
  readonly command: string;
};

/** All processes as they are now. */
export const listProcesses = (): ListedProcess[] => (existsSync("/proc/self/stat") ? fromProc() : fromPs());

const fromProc = (): ListedProcess[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
        const [state, , groupId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z") return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trimEnd();
        return [{ pid: Number(pid), groupId: Number(groupId), command }];
      } catch {
        // It ended between the listing and the reading.
        return [];
      }
    });

const fromPs = (): ListedProcess[] =>
  execFileSync("ps", ["-A", "-o", "pid=,pgid=,state=,command="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, groupId, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (command === undefined || state?.startsWith("Z") === true) return [];
      return [{ pid: Number(pid), groupId: Number(groupId), command }];
    });
