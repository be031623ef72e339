/** Ends a process group: politely, then for good. */
import { setTimeout as delay } from "node:timers/promises";
import { listProcesses } from "./process-table.ts";

/** How long a group may take to end after TERM, in ms. Wrangler needs under one second. */
const TERM_GRACE_MS = 5_000;

/** How long to wait for the kernel after KILL, in ms. */
const KILL_GRACE_MS = 2_000;

/** Time between two looks at the group, in ms. */
const POLL_MS = 25;

/** Resolves once no process of the group runs: TERM first, KILL after `termGraceMs`. A group that is gone is fine. */
export const endProcessGroup = async (groupId: number, termGraceMs = TERM_GRACE_MS): Promise<void> => {
  if (await signalAndWait(groupId, "SIGTERM", termGraceMs)) return;
  await signalAndWait(groupId, "SIGKILL", KILL_GRACE_MS);
};

/** Resolves once no process but this one runs in its group `groupId`: TERM first, KILL after `termGraceMs`. */
export const endOthersOfGroup = async (groupId: number, termGraceMs: number): Promise<void> => {
  const others = () => listProcesses().filter((one) => one.groupId === groupId && one.pid !== process.pid);
  const deadlineMs = performance.now() + termGraceMs;
  signalGroup(groupId, "SIGTERM");
  while (others().length > 0) {
    // One by one, since a KILL of the group would end this process too.
    if (performance.now() > deadlineMs) for (const { pid } of others()) signal(pid, "SIGKILL");
    await delay(POLL_MS);
  }
};

/** Whether a process of the group runs. `kill(-id, 0)` would count those that have ended and were not collected. */
export const isGroupRunning = (groupId: number): boolean =>
  listProcesses().some((process) => process.groupId === groupId);

/** Signals the group; resolves to whether all of it ended within `graceMs`. */
export const signalAndWait = async (groupId: number, name: NodeJS.Signals, graceMs: number): Promise<boolean> => {
  const deadlineMs = performance.now() + graceMs;
  signalGroup(groupId, name);
  while (isGroupRunning(groupId)) {
    if (performance.now() > deadlineMs) return false;
    await delay(POLL_MS);
  }
  return true;
};

const signalGroup = (groupId: number, name: NodeJS.Signals): void => signal(-groupId, name);

const signal = (id: number, name: NodeJS.Signals): void => {
  try {
    process.kill(id, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};
