/**
 * Processes that a command has left outside its process group, for example by `setsid`. Each inherits descriptor 4, which is the
 * command's own record; a process that still has it open belongs to that command. Works on Linux only.
 */
import { existsSync, fstatSync, readdirSync, statSync } from "node:fs";
import { endProcesses } from "../../process/end-processes.ts";

/** The descriptor at which a command's processes have the record open. A process that closes it is not found. */
const MARK_DESCRIPTOR = 4;

/** Longest wait for the kernel after KILL, in ms. */
const KILL_GRACE_MS = 2_000;

/** Identifies the file that serves as the mark: device and inode. */
export type Mark = { readonly dev: number; readonly ino: number };

/** The mark for a record that is open here. */
export const markOf = (descriptor: number): Mark => {
  const { dev, ino } = fstatSync(descriptor);
  return { dev, ino };
};

/** Resolves when no process has the mark: TERM first, KILL after `termGraceMs`. */
export const endStrays = (mark: Mark, termGraceMs: number): Promise<void> =>
  endProcesses(() => straysOf(mark), { termMs: termGraceMs, killMs: KILL_GRACE_MS });

const straysOf = (mark: Mark): number[] => {
  if (!existsSync("/proc/self/fd")) return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.filter((pid) => hasMark(pid, mark)).map(Number);
};

const hasMark = (pid: string, { dev, ino }: Mark): boolean => {
  try {
    const stats = statSync(`/proc/${pid}/fd/${MARK_DESCRIPTOR}`);
    return stats.dev === dev && stats.ino === ino;
  } catch {
    // It has ended, has no such descriptor, or belongs to another user.
    return false;
  }
};
