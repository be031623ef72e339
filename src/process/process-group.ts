/** Ends a process group: with TERM, then with KILL. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A running process. One that has ended and waits to be collected (state Z) is left out. */
export type ListedProcess = {
  readonly pid: number;
  /** Process group, named after the pid of the process that founded it. */
  readonly groupId: number;
  /** When it started, in the system's own format: the same number with another start is another process. */
  readonly startedAt: string;
  /** The program with its arguments, separated by spaces. */
  readonly command: string;
};

/** A process as /proc has it: with its parent, and its session, named after the pid of the process that founded it. */
export type ProcProcess = ListedProcess & { readonly parentId: number; readonly sessionId: number };

/** All current processes of this machine: from /proc if it exists, because small images have no `ps`. */
export const listProcesses = (): ListedProcess[] => (hasProc() ? listProc() : listPs());

/** Whether this system has /proc. */
export const hasProc = (): boolean => existsSync("/proc/self/stat");

/** All current processes, from /proc. */
export const listProc = (): ProcProcess[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [state, parentId, groupId, sessionId] = fields;
        if (state === "Z") return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trimEnd();
        // Field 22 of proc(5), in ticks since the boot; `fields` begins with the third.
        const ids = { parentId: Number(parentId), groupId: Number(groupId), sessionId: Number(sessionId) };
        return [{ pid: Number(pid), ...ids, startedAt: fields[19] ?? "", command }];
      } catch {
        // It ended between listing and reading.
        return [];
      }
    });

/** `lstart` is a date of five words, such as `Fri Nov 20 16:30:00 2026`. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s(.*)$/;

/** Most that `ps` may print: of a thousand processes with long arguments. Node's own limit, 1 MiB, is soon reached. */
const MAX_PS_BYTES = 64 * 1_024 * 1_024;

/**
 * Makes `ps` write dates as `PS_LINE` has them: in Korean and Chinese they have four words. Only dates are in `C`: with the characters of
 * `C`, others in a path would be escaped, and the path would no longer be the one that callers look for.
 */
const psLanguage = ({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...{ LC_ALL: "", LC_TIME: "C" },
  LC_CTYPE: LC_ALL || LC_CTYPE || LANG,
});

/** All current processes, from `ps`. */
export const listPs = (): ListedProcess[] =>
  execFileSync("ps", ["-A", "-o", "pid=,pgid=,state=,lstart=,command="], {
    encoding: "utf8",
    maxBuffer: MAX_PS_BYTES,
    // TZ: otherwise a process would have another start time after a laptop has travelled.
    env: { ...process.env, ...psLanguage(process.env), TZ: "UTC" },
  })
    .split("\n")
    .flatMap((line) => {
      const [, pid, groupId, state, startedAt, command] = PS_LINE.exec(line) ?? [];
      if (startedAt === undefined || command === undefined || state?.startsWith("Z") === true) return [];
      return [{ pid: Number(pid), groupId: Number(groupId), startedAt, command }];
    });

/** How long a group may take to end after TERM, in ms. Wrangler needs under one second. */
const TERM_GRACE_MS = 5_000;

/** How long to wait for the kernel after KILL, in ms. */
const KILL_GRACE_MS = 2_000;

/** Time between two checks of the group, in ms. */
const POLL_MS = 25;

/**
 * Resolves once no process of the group is running: TERM first, KILL after `termGraceMs`. A group that is gone already is fine. What
 * survives both, because it belongs to another user as under `sudo`, is left running.
 */
export const endProcessGroup = async (groupId: number, termGraceMs = TERM_GRACE_MS): Promise<void> => {
  if (await signalAndWait(groupId, "SIGTERM", termGraceMs)) return;
  await signalAndWait(groupId, "SIGKILL", KILL_GRACE_MS);
};

/** Resolves once only this process is running in its group `groupId`, or KILL has not helped: TERM first, KILL after `termGraceMs`. */
export const endOthersOfGroup = async (groupId: number, termGraceMs: number): Promise<void> => {
  const others = () => listProcesses().filter((one) => one.groupId === groupId && one.pid !== process.pid);
  const deadlineMs = performance.now() + termGraceMs;
  signalGroup(groupId, "SIGTERM");
  while (others().length > 0) {
    // One by one, since a KILL of the group would end this process too.
    if (performance.now() > deadlineMs) for (const { pid } of others()) signal(pid, "SIGKILL");
    if (performance.now() > deadlineMs + KILL_GRACE_MS) return;
    await delay(POLL_MS);
  }
};

/** Whether a process of the group is running. `kill(-id, 0)` would count those that have ended and were not collected. */
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

/** ESRCH: it is gone. EPERM: all that is left of it belongs to another user. Callers look for themselves whether it has ended. */
const HARMLESS: readonly unknown[] = ["ESRCH", "EPERM"];

const signal = (id: number, name: NodeJS.Signals): void => {
  try {
    process.kill(id, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && HARMLESS.includes(error.code))) throw error;
  }
};
