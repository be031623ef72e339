/**
 * The processes of turns. A turn's own process founds a group, but each command of the SDK founds another, which outlives a kill.
 * All of them inherit a mark in their environment, by which they are found; on systems without /proc only the turn's group is.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endProcesses } from "../process/end-processes.ts";
import { endProcessGroup, listProcesses } from "../process/process-group.ts";
import { MARK_VARIABLE } from "./agent/agent-start.ts";

/** How long processes may take to end after TERM before they get KILL, in ms. A stopped turn has ended within 3 s in all. */
const TERM_GRACE_MS = 1_000;

/** Longest wait for the kernel after KILL, in ms. */
const KILL_GRACE_MS = 500;

/** Where the records of running turns are, below the state directory: one file for each mark, with its group. */
export const turnRecordsIn = (stateDir: string): string => join(stateDir, "harness", "turns");

/** Records a turn before it begins. Its mark and group are all that an end needs. */
export const recordTurn = (recordsDir: string, mark: string, groupId: number): void => {
  mkdirSync(recordsDir, { recursive: true, mode: 0o700 });
  const startedAt = listProcesses().find(({ pid }) => pid === groupId)?.startedAt ?? "";
  writeFileSync(join(recordsDir, mark), `${groupId} ${startedAt}\n`, { mode: 0o600 });
};

/** Ends all processes of a turn and forgets it. Resolves when none is running. */
export const endTurn = async (recordsDir: string, mark: string, groupId: number): Promise<void> => {
  // Both at once: a command may have to be ended because the SDK waits for it, or the other way round.
  await Promise.all([endProcessGroup(groupId, TERM_GRACE_MS), endMarked(mark)]);
  // What the group started while it ended.
  await endMarked(mark);
  rmSync(join(recordsDir, mark), { force: true });
};

/** Ends the turns that an earlier start, which was killed, left running. */
export const endLeftTurns = async (recordsDir: string): Promise<void> => {
  if (!existsSync(recordsDir)) return;
  const processes = listProcesses();
  const endings = readdirSync(recordsDir).map(async (mark) => {
    const [, groupId = "", startedAt] = /^(\d+) (.*)\n$/.exec(readFileSync(join(recordsDir, mark), "utf8")) ?? [];
    // Process ids are reused: the group is the recorded one only if its first process is.
    const isSame = processes.some((one) => one.pid === Number(groupId) && one.startedAt === startedAt);
    if (isSame) await endProcessGroup(Number(groupId), TERM_GRACE_MS);
    await endMarked(mark);
    rmSync(join(recordsDir, mark), { force: true });
  });
  await Promise.all(endings);
};

/** Resolves when no process has the mark: TERM first, KILL after the grace. */
const endMarked = (mark: string): Promise<void> =>
  endProcesses(() => markedBy(mark), { termMs: TERM_GRACE_MS, killMs: KILL_GRACE_MS });

const markedBy = (mark: string): number[] => {
  if (!existsSync("/proc/self/environ")) return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.filter((pid) => environmentOf(pid).includes(`${MARK_VARIABLE}=${mark}`)).map(Number);
};

const environmentOf = (pid: string): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, or belongs to another user.
    return [];
  }
};
