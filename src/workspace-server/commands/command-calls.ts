/** The commands of one server by call id: the running ones in memory, all of them in the records. */
import { closeSync } from "node:fs";
import { withoutOwnPackages } from "../../process/project.ts";
import { type Command, type CommandResult, type OnOutput, WorkspaceError } from "../../workspace/workspace.ts";
import type { CommandRecords } from "../command-records.ts";
import { systemCode } from "../system-error.ts";
import { atDirectory, type WorkspaceRoot } from "../workspace-root.ts";
import { type ShellProcess, startShell } from "./shell-process.ts";

/**
 * The environment of the agent's commands: at most four variables of this process, enough for a shell to find programs, and
 * nothing that could be a secret.
 */
const commandEnvironment = (from: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  PATH: withoutOwnPackages(from.PATH ?? "/usr/local/bin:/usr/bin:/bin"),
  LANG: from.LANG ?? "C.UTF-8",
  TERM: from.TERM ?? "dumb",
  ...(from.HOME === undefined ? {} : { HOME: from.HOME }),
});

/** How long a command continues when nobody waits for it any more, in ms. Within it, a crashed run asks for the command again. */
const ORPHAN_GRACE_MS = 60_000;

/** How many aborts of unknown commands are remembered. The abort and its command arrive within milliseconds of each other. */
const MAX_ABORTED_EARLY = 1_000;

/** Most commands at once: more would mean a loop of calls, and each may hold a few megabytes here. */
const MAX_RUNNING = 32;

type RunningCall = {
  readonly result: Promise<CommandResult>;
  readonly stop: AbortController;
  followers: number;
  orphanTimer?: NodeJS.Timeout;
};

/** Runs commands, each id once. */
export class CommandCalls {
  readonly #root: WorkspaceRoot;
  readonly #records: CommandRecords;
  readonly #running = new Map<string, RunningCall>();
  readonly #abortedEarly = new Set<string>();
  readonly #orphanGraceMs: number;
  #isClosed = false;

  constructor(root: WorkspaceRoot, records: CommandRecords, orphanGraceMs = ORPHAN_GRACE_MS) {
    this.#orphanGraceMs = orphanGraceMs;
    this.#root = root;
    this.#records = records;
  }

  /**
   * Runs a command to its end. When `left` aborts, the caller has disconnected: the command continues for a minute, and is then
   * ended unless somebody has asked for it with `find`. `onStart` is called when nothing can refuse the command any more.
   *
   * @throws {WorkspaceError} `repeated`; `refused` while it stops or too many run; what is wrong with the directory. Nothing has run then.
   */
  async start(
    command: Command,
    onOutput: OnOutput,
    left: AbortSignal,
    onStart: () => void = () => undefined,
  ): Promise<CommandResult> {
    const call = await this.#start(command, onOutput);
    onStart();
    return this.#follow(call, left);
  }

  /** The result of a call; waits while it is running. Undefined when its id is unknown. */
  async find(callId: string, left: AbortSignal): Promise<CommandResult | undefined> {
    const call = this.#running.get(callId);
    return call === undefined ? this.#records.result(callId) : this.#follow(call, left);
  }

  /** Ends a command: TERM to its group, KILL after 2 s. A command that has not been started yet will not run. */
  abort(callId: string): void {
    const call = this.#running.get(callId);
    if (call === undefined) this.#abortedEarly.add(callId);
    else call.stop.abort();
    const [oldest] = this.#abortedEarly;
    if (oldest !== undefined && this.#abortedEarly.size > MAX_ABORTED_EARLY) this.#abortedEarly.delete(oldest);
  }

  /** Ends all commands and accepts no more. Resolves when none of their processes is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const calls = [...this.#running.values()];
    for (const call of calls) call.stop.abort();
    await Promise.allSettled(calls.map((call) => call.result));
  }

  /** `find`, `abort` and `close` know the call from the moment its id is claimed, before its shell exists. */
  async #start(command: Command, onOutput: OnOutput): Promise<RunningCall> {
    return atDirectory(this.#root, command.dir, async (directory) => {
      if (this.#isClosed) throw new WorkspaceError("refused", "The workspace is stopping.");
      if (this.#running.size >= MAX_RUNNING) throw tooMany();
      const { callId } = command;
      this.#records.claim(callId);
      const stop = new AbortController();
      if (this.#abortedEarly.delete(callId)) stop.abort();
      const starting = this.#open(command, directory.at("."), onOutput);
      const result = starting
        .then((shell) => shell.run(command.timeoutMs, stop.signal))
        .then((ended) => {
          this.#keep(callId, ended);
          return ended;
        })
        .finally(() => this.#running.delete(callId));
      // A failed start is thrown below.
      result.catch(() => undefined);
      const call = { result, stop, followers: 0 };
      this.#running.set(callId, call);
      // The directory is held open until the shell is in it.
      await starting;
      return call;
    });
  }

  /** Keeps a result. Where that fails, such as on a full disk, the caller still gets it. The id stays claimed: it never runs again. */
  #keep(callId: string, result: CommandResult): void {
    try {
      this.#records.end(callId, result);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      process.stderr.write(`Workspace server: the result of a command cannot be kept: ${String(error)}\n`);
    }
  }

  async #open(command: Command, cwd: string, onOutput: OnOutput): Promise<ShellProcess> {
    const env = commandEnvironment(process.env);
    const mark = this.#records.open(command.callId);
    const shell = await startShell(command.command, { cwd, env, mark }, onOutput).finally(() => closeSync(mark));
    try {
      this.#records.setGroup(command.callId, shell.group);
      return shell;
    } catch (error) {
      shell.discard();
      throw error;
    }
  }

  async #follow(call: RunningCall, left: AbortSignal): Promise<CommandResult> {
    clearTimeout(call.orphanTimer);
    call.followers += 1;
    const leave = () => {
      call.followers -= 1;
      if (call.followers === 0) call.orphanTimer = setTimeout(() => call.stop.abort(), this.#orphanGraceMs);
    };
    if (left.aborted) leave();
    left.addEventListener("abort", leave, { once: true });
    const result = await call.result;
    left.removeEventListener("abort", leave);
    clearTimeout(call.orphanTimer);
    return result;
  }
}

// Not `unavailable`, which would mean that the command may have run.
const tooMany = (): WorkspaceError =>
  new WorkspaceError("refused", `${MAX_RUNNING} commands are already running. Wait until one has ended.`);
