/**
 * One `/bin/sh -c` in its own process group. It waits at a gate until its group has been recorded; if this program dies before
 * that, the gate closes and nothing is run.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { endProcessGroup, listProcesses } from "../../process/process-group.ts";
import type { CommandResult, OnOutput } from "../../workspace/workspace.ts";
import type { RunningGroup } from "../command-records.ts";
import { OutputKeeper } from "./output-keeper.ts";
import { endStrays, type Mark, markOf } from "./strays.ts";

/** How long a group may take to end after TERM before it gets KILL, in ms (run.md, Aborting). */
export const TERM_GRACE_MS = 2_000;

/** How long to wait for the pipes once the group is gone, in ms: a process that left the group may still have them open. */
const PIPE_GRACE_MS = 500;

/**
 * Reads one line from descriptor 3, which the command itself does not get. The space keeps a command that begins with a dash from
 * being taken for an option.
 */
const GATE = 'read -r _ <&3 && exec 3<&- && exec /bin/sh -c " $1"';

/** A shell at its gate, or past it. */
export type ShellProcess = {
  readonly group: RunningGroup;
  /**
   * Lets the command run, for at most `timeoutMs`. Resolves when none of its processes is left, except those of another user, which
   * only that user can end; never rejects.
   */
  run(timeoutMs: number, signal: AbortSignal): Promise<CommandResult>;
  /** Ends the shell at its gate. */
  discard(): void;
};

/** Starts a shell in `cwd`. @throws {Error} when the system cannot. */
export const startShell = async (
  command: string,
  {
    mark,
    ...options
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** A descriptor for the child to inherit, by which strays are found; see `strays.ts`. */
    readonly mark: number;
  },
  onOutput: OnOutput,
): Promise<ShellProcess> => {
  const child = spawn("/bin/sh", ["-c", GATE, "sh", command], {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe", mark],
  });
  // Rejects with the cause when the shell cannot be started, for example because the directory no longer exists.
  await once(child, "spawn");
  const groupId = child.pid ?? Number.NaN;
  const startedAt = listProcesses().find(({ pid }) => pid === groupId)?.startedAt ?? "";
  const gate = gateOf(child);
  const known = markOf(mark);
  return {
    group: { groupId, startedAt },
    run: (timeoutMs, signal) => {
      // Aborted before it ran: the gate closes.
      if (signal.aborted) gate.destroy();
      else gate.end("\n");
      return follow(child, { groupId, mark: known }, { timeoutMs, signal, onOutput });
    },
    discard: () => gate.destroy(),
  };
};

const gateOf = (child: ChildProcess): Writable => {
  const gate = child.stdio[3];
  if (gate === null || gate === undefined || !("write" in gate)) throw new Error("The shell has no gate.");
  // The shell may end before it reads; its exit is noticed anyway.
  gate.on("error", () => undefined);
  return gate;
};

const follow = async (
  child: ChildProcess,
  { groupId, mark }: { readonly groupId: number; readonly mark: Mark },
  world: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly onOutput: OnOutput },
): Promise<CommandResult> => {
  const output = new OutputKeeper();
  const closed = Promise.all([
    relay(child.stdout, "stdout", output, world.onOutput),
    relay(child.stderr, "stderr", output, world.onOutput),
  ]);
  const timeout = AbortSignal.timeout(world.timeoutMs);
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stopped = new Promise<"timed_out" | "aborted">((resolve) => {
    timeout.addEventListener("abort", () => resolve("timed_out"), { once: true });
    if (world.signal.aborted) resolve("aborted");
    world.signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  const end = await Promise.race([exit.then(() => "exited" as const), stopped]);
  // Even after an exit: processes that the command left in the background are ended with it.
  await endProcessGroup(groupId, TERM_GRACE_MS);
  await endStrays(mark, TERM_GRACE_MS);
  await Promise.race([closed, delay(PIPE_GRACE_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  // The exit of a command that was stopped is not waited for: it may never come if `sudo` has taken the shell's place.
  return { end, exitCode: end === "exited" ? await exit : null, ...output.result() };
};

const relay = async (
  from: Readable | null,
  stream: "stdout" | "stderr",
  output: OutputKeeper,
  onOutput: OnOutput,
): Promise<void> => {
  if (from === null) return;
  from.setEncoding("utf8");
  from.on("data", (text: string) => {
    output.add(stream, text);
    onOutput(stream, text);
  });
  await once(from, "close");
};
