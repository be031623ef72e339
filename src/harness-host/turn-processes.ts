/**
 * The processes of turns. A turn's own process founds a group, but each command of the SDK founds another, which outlives a kill.
 * All of them inherit a mark in their environment, by which they are found, with their descendants and sessions. On systems without /proc
 * only the turn's group is found.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endProcesses } from "../process/end-processes.ts";
import { endProcessGroup, hasProc, listProc, listProcesses, type ProcProcess } from "../process/process-group.ts";
import { MARK_VARIABLE } from "./agent/agent-start.ts";

/** How long processes may take to end after TERM before they get KILL, in ms. A stopped turn has ended within 3 s in all. */
const TERM_GRACE_MS = 1_000;

/** Longest wait for the kernel after KILL, in ms. */
const KILL_GRACE_MS = 500;

/** Where the records of running turns are, below the state directory: one file for each mark, with its group. */
export const turnRecordsIn = (stateDir: string): string => join(stateDir, "harness", "turns");

/** The first process of a turn, which founds its group. */
type Root = Pick<ProcProcess, "pid" | "startedAt">;

/** Records a turn before it begins, and returns its first process. To end the turn, this process and the mark are enough. */
export const recordTurn = (recordsDir: string, mark: string, groupId: number): Root => {
  mkdirSync(recordsDir, { recursive: true, mode: 0o700 });
  const startedAt = listProcesses().find(({ pid }) => pid === groupId)?.startedAt ?? "";
  writeFileSync(join(recordsDir, mark), `${groupId} ${startedAt}\n`, { mode: 0o600 });
  return { pid: groupId, startedAt };
};

/** Ends all processes of a turn and forgets it. Resolves when none is running. */
export const endTurn = async (recordsDir: string, mark: string, root: Root): Promise<void> => {
  await endFound(mark, root, () => endProcessGroup(root.pid, TERM_GRACE_MS));
  rmSync(join(recordsDir, mark), { force: true });
};

/** Ends the turns that an earlier start, which was killed, left running. */
export const endLeftTurns = async (recordsDir: string): Promise<void> => {
  if (!existsSync(recordsDir)) return;
  const processes = listProcesses();
  const endings = readdirSync(recordsDir).map(async (mark) => {
    const root = recordedRoot(recordsDir, mark);
    // Process ids are reused: the group is the recorded one only if its first process is the recorded one.
    const isSame = processes.some((one) => one.pid === root.pid && one.startedAt === root.startedAt);
    await endFound(mark, root, async () => (isSame ? await endProcessGroup(root.pid, TERM_GRACE_MS) : undefined));
    rmSync(join(recordsDir, mark), { force: true });
  });
  await Promise.all(endings);
};

const recordedRoot = (recordsDir: string, mark: string): Root => {
  const [, pid, startedAt = ""] = /^(\d+) (.*)\n$/.exec(readFileSync(join(recordsDir, mark), "utf8")) ?? [];
  return { pid: Number(pid), startedAt };
};

/** Resolves when nothing of the turn is found any more: TERM first, KILL after the grace. */
const endFound = async (mark: string, root: Root, endGroup: () => Promise<void>): Promise<void> => {
  const find = finderOf(mark, root);
  const end = () => endProcesses(find, { termMs: TERM_GRACE_MS, killMs: KILL_GRACE_MS });
  // Looks before anything ends: a process whose parents are gone cannot be found by them.
  find();
  // Both at once: a command may have to be ended because the SDK waits for it, or the other way round.
  await Promise.all([endGroup(), end()]);
  // Ends what the group started while it ended.
  await end();
};

/**
 * Finds the running processes of a turn, look after look: those that have its mark or were found before, all their descendants, and all
 * others in its sessions. Nobody can join a session. So if a process of the turn is in one, and its founder is the turn's or gone, all
 * processes in it are the turn's. A process that has cleared its environment, and whose relatives were all gone before the first look, is
 * not found.
 */
const finderOf = (mark: string, root: Root): (() => number[]) => {
  let found: readonly Root[] = [root];
  return () => {
    if (!hasProc()) return [];
    const listed = listProc();
    const running = new Set(listed.map(({ pid }) => pid));
    const hostSession = listed.find(({ pid }) => pid === process.pid)?.sessionId;
    const all = listed.filter(({ pid }) => pid !== process.pid);
    const isFound = (one: ProcProcess) =>
      found.some(({ pid, startedAt }) => one.pid === pid && one.startedAt === startedAt) || hasMark(one.pid, mark);
    let ours = all.filter(isFound);
    for (let size = -1; size !== ours.length; ) {
      size = ours.length;
      const pids = new Set(ours.map(({ pid }) => pid));
      const sessions = new Set(
        ours.flatMap(({ sessionId: id }) => (id !== hostSession && (pids.has(id) || !running.has(id)) ? [id] : [])),
      );
      ours = all.filter((one) => pids.has(one.pid) || pids.has(one.parentId) || sessions.has(one.sessionId));
    }
    found = ours;
    return ours.map(({ pid }) => pid);
  };
};

const hasMark = (pid: number, mark: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${MARK_VARIABLE}=${mark}`);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
};
