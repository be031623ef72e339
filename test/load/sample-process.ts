/** One look at a process, from /proc (proc(5)): memory, CPU time and open files. */
import { readdirSync, readFileSync } from "node:fs";
import { readProcStat } from "../support/proc-stat.ts";

const KIB = 1_024;

/** A process at one moment. */
export type ProcessSample = {
  /** User and system time since its start. */
  readonly cpuSeconds: number;
  /** Resident: all pages in memory, those of the program itself among them. */
  readonly rssBytes: number;
  /** Private and dirty: what ending it would give back for certain. */
  readonly privateBytes: number;
  readonly openFiles: number;
  readonly threads: number;
};

/** @throws {Error} when there is no such process, or no /proc. */
export const sampleProcess = (pid: number): ProcessSample => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    cpuSeconds: readProcStat(pid).cpuSeconds,
    rssBytes: lineOf(status, "VmRSS") * KIB,
    privateBytes: lineOf(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"), "Private_Dirty") * KIB,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    threads: lineOf(status, "Threads"),
  };
};

const lineOf = (text: string, name: string): number => {
  const [, value] = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text) ?? [];
  if (value === undefined) throw new Error(`No ${name} in /proc.`);
  return Number(value);
};
