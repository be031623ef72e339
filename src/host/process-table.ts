/** The processes of this machine: from /proc where there is one, because small images have no `ps`. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process that runs. One that has ended and waits to be collected (state Z) is left out. */
export type ListedProcess = {
  readonly pid: number;
  /** Process group, named after the pid of the process that founded it. */
  readonly groupId: number;
  /** When it started, in the system's own words: the same number with another start is another process. */
  readonly startedAt: string;
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
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [state, , groupId] = fields;
        if (state === "Z") return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trimEnd();
        // Field 22 of proc(5), in ticks since the boot; `fields` begins with the third.
        return [{ pid: Number(pid), groupId: Number(groupId), startedAt: fields[19] ?? "", command }];
      } catch {
        // It ended between the listing and the reading.
        return [];
      }
    });

/** `lstart` is a date of five words, such as `Fri Nov 20 16:30:00 2026`. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s(.*)$/;

const fromPs = (): ListedProcess[] =>
  execFileSync("ps", ["-A", "-o", "pid=,pgid=,state=,lstart=,command="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, groupId, state, startedAt, command] = PS_LINE.exec(line) ?? [];
      if (startedAt === undefined || command === undefined || state?.startsWith("Z") === true) return [];
      return [{ pid: Number(pid), groupId: Number(groupId), startedAt, command }];
    });
