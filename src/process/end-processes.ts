/** Ends processes that share no group, with TERM and then with KILL. They are looked for again and again until there are none. */
import { setTimeout as delay } from "node:timers/promises";

/** Time between two looks, in ms. */
const POLL_MS = 25;

/** How long processes may take to end after TERM before they get KILL, and longest wait for the kernel after that, in ms. */
type Graces = { readonly termMs: number; readonly killMs: number };

/** Resolves when `find` finds no process any more, or when KILL has not helped. */
export const endProcesses = async (find: () => readonly number[], { termMs, killMs }: Graces): Promise<void> => {
  const first = find();
  // Mostly there are none, and each look reads all of /proc.
  if (first.length === 0) return;
  send(first, "SIGTERM");
  if (await areGone(find, termMs)) return;
  // Counted from the first KILL: a program that was paused for longer than both graces has not sent any yet.
  await areGone(find, killMs, (left) => send(left, "SIGKILL"));
};

/**
 * Whether all have ended within `graceMs`. `again` gets those that are left at each look, since one being killed may have started another.
 */
const areGone = async (
  find: () => readonly number[],
  graceMs: number,
  again: (left: readonly number[]) => void = () => undefined,
): Promise<boolean> => {
  const deadlineMs = performance.now() + graceMs;
  for (let left = find(); left.length > 0; left = find()) {
    again(left);
    if (performance.now() > deadlineMs) return false;
    await delay(POLL_MS);
  }
  return true;
};

const send = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
};
