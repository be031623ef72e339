/**
 * Runs a command in `just-bash`, a shell in TypeScript: no process, no network, no programs but its own. It runs inside the object,
 * where the clock does not advance while it computes, so it is limited by counts first and by time second.
 */
import type { BashOptions } from "just-bash/browser";
import { withTimeLimit } from "../../contract/within.ts";
import { cutMiddle } from "../cut-middle.ts";
import { Pace } from "../pace.ts";
import type { CommandResult } from "../workspace.ts";
import { LEFT_OUT_COMMANDS } from "./left-out-commands.ts";
import type { FileStore } from "./rooted-store.ts";
import { ShellFileSystem } from "./shell-file-system.ts";

/** Where the files are mounted in the shell's own tree; the rest of that tree is in memory and discarded after the command. */
const ROOT = "/workspace";

/** Output kept of each stream: 1 MB. */
const MAX_OUTPUT_BYTES = 1_000_000;

/** Stricter than the profile `hardened`: an endless loop ends within about a second of CPU time. */
const LIMITS: BashOptions["executionLimits"] = {
  maxOutputSize: 8 * 1_024 * 1_024,
  maxStringLength: 4 * 1_024 * 1_024,
  maxLiveBytes: 32 * 1_024 * 1_024,
  maxFileSystemBytes: 16 * 1_024 * 1_024,
};

/** How long an abort waits for the command to notice (api.md §2: an abort answers within 3 s). */
const MAX_CLEANUP_MS = 500;

/** The interpreter's advice when a limit is reached, which no reader of the output could follow. */
const LIMIT_ADVICE = /, increase executionLimits\.\w+/g;

type CommandName = NonNullable<BashOptions["commands"]>[number];

const isHere = (name: string): name is CommandName => !LEFT_OUT_COMMANDS.some((one) => one === name);

/**
 * `dir` is resolved and exists. An abort takes effect at the next statement, or the next file of a copied or moved directory; what was
 * written by then is kept.
 */
export const runScript = async (
  files: FileStore,
  { command, dir, timeoutMs }: { readonly command: string; readonly dir: string; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<CommandResult> => {
  // Loaded with the first command: it is larger than the rest of the Worker, and most objects never need it. In the bundle this
  // is a call within the Worker, so the import cannot be interrupted and leave a promise that never settles.
  const { Bash, InMemoryFs, MountableFs, getCommandNames } = await import("just-bash/browser");
  const execute = async (stopped: AbortSignal) => {
    const mounted = new ShellFileSystem(files, new Pace(), stopped);
    const fs = new MountableFs({ base: new InMemoryFs(), mounts: [{ mountPoint: ROOT, filesystem: mounted }] });
    const bash = new Bash({
      fs,
      commands: getCommandNames().filter(isHere),
      cwd: dir === "." ? ROOT : `${ROOT}/${dir}`,
      env: { HOME: ROOT, LANG: "C.UTF-8" },
      executionLimitProfile: "hardened",
      executionLimits: {
        ...LIMITS,
        maxExecutionTimeMs: timeoutMs + MAX_CLEANUP_MS,
        maxExtensionCleanupTimeMs: MAX_CLEANUP_MS,
      },
      // It would replace globals while a command runs, which other objects of the isolate would see. A Worker has no `eval`, and
      // neither Python nor JavaScript is enabled.
      defenseInDepth: false,
    });
    const ended = await bash.exec(command, { rawScript: true, signal: stopped }).catch(brokenOff);
    return { ...ended, refusals: mounted.refusals, isStopped: stopped.aborted };
  };
  const { stdout, stderr, exitCode, refusals, isStopped } = await withTimeLimit(timeoutMs, execute, signal);
  const said = [stderr.replace(LIMIT_ADVICE, ""), ...refusals.map((refusal) => `${refusal}\n`)].join("");
  // Some of the shell's commands count in UTF-16 units: `printf %.1s` of an emoji prints half of it.
  const kept = {
    stdout: cutMiddle(stdout.toWellFormed(), MAX_OUTPUT_BYTES),
    stderr: cutMiddle(said.toWellFormed(), MAX_OUTPUT_BYTES),
  };
  const isCut = kept.stdout.isCut || kept.stderr.isCut;
  const output = { stdout: kept.stdout.text, stderr: kept.stderr.text, isCut };
  if (signal.aborted) return { end: "aborted", exitCode: null, ...output };
  if (isStopped) return { end: "timed_out", exitCode: null, ...output };
  return { end: "exited", exitCode, ...output };
};

/** The interpreter gives up when a file cannot be written, for example because it grows too large; then its output is lost. */
const brokenOff = (error: unknown) => ({
  stdout: "",
  stderr: `bash: ${error instanceof Error ? error.message : String(error)}\nbash: the command was stopped here\n`,
  exitCode: 1,
});
