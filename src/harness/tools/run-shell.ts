/** The tool that runs a shell command. The workspace knows each call by its key, so no command ever runs twice. */
import * as z from "zod";
import { cutText, wellFormed } from "../../contract/plain-text.ts";
import { withTimeLimit } from "../../contract/within.ts";
import { type Command, type CommandResult, type Workspace, WorkspaceError } from "../../workspace/workspace.ts";
import type { OpenWorkspace } from "./change-file.ts";
import { commandTitle, describeCommand } from "./describe-command.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";
import { answerRefusal, WorkspacePath } from "./workspace-path.ts";

const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_TIMEOUT_MS = 120_000;

/** Longest command, in UTF-16 units: a person reads all of it before it runs. */
const MAX_COMMAND_LENGTH = 20_000;

/** Most UTF-16 units of output sent while a command runs: the workspace keeps about as much. */
const MAX_SENT_LENGTH = 1_048_576;

/**
 * How long a run that is being stopped waits for the end of a command that it has lost, in ms: TERM, KILL after 2 s, the same again for
 * processes that left its group, and a second for the network. A run's end is forced after 10 s.
 */
export const STOPPED_WAIT_MS = 6_000;

const Input = z.strictObject({
  command: z
    .string()
    .overwrite(wellFormed)
    .max(MAX_COMMAND_LENGTH)
    .refine((command) => command.trim() !== "", "give a command")
    .refine((command) => !command.includes("\0"), "leave out NUL")
    .describe("The command line for the shell."),
  dir: WorkspacePath.default(".").describe(
    "Directory to run it in, relative to the workspace's root. Default: the root.",
  ),
  timeoutMs: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .default(DEFAULT_TIMEOUT_MS)
    .describe("Milliseconds after which it is stopped. Default 120000, at most 600000."),
});

/** `run_shell`. */
export const runShellTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "run_shell",
    kind: "execute",
    description:
      "Runs a shell command in the workspace and waits for it to finish: tests, builds, programs. Each call starts in a fresh shell without a terminal and without input, so use flags instead of prompts, and do not leave servers running. To read, find or change files use the file tools. A person approves each command, so keep it short and limited to one purpose.",
    input: Input,
    prepare: ({ command, dir, timeoutMs }) => ({
      title: commandTitle(command),
      mayBecomeRule: true,
      propose: async () => {
        const found = await (await open()).stat(dir);
        if (found === undefined) throw new WorkspaceError("not_found", `dir: ${dir} does not exist.`);
        if (found.type !== "directory")
          throw new WorkspaceError("wrong_type", `dir: ${dir} is a file, not a directory.`);
        return { subject: { type: "command", command, dir } };
      },
      run: (ctx) =>
        answerRefusal(async () => {
          const workspace = await open();
          // Hours may lie between the question and its answer. A workspace that is away now has run nothing, and this says why.
          if (!ctx.signal.aborted) await workspace.stat(dir);
          if (ctx.signal.aborted) return "no_effect";
          const result = await runOnce(workspace, { callId: ctx.callKey, command, dir, timeoutMs }, ctx);
          return result === undefined ? LOST : describeCommand(result, timeoutMs);
        }),
      recover: async (ctx) => {
        const result = await findResult(await open(), ctx);
        return result === undefined ? "unknown" : describeCommand(result, timeoutMs);
      },
    }),
  });

/** How the command ended, or undefined when nobody can tell. @throws {WorkspaceError} when it did not start. */
const runOnce = async (
  workspace: Workspace,
  command: Command,
  ctx: ToolContext,
): Promise<CommandResult | undefined> => {
  try {
    return await workspace.run(command, boundedOutput(ctx.output), ctx.signal);
  } catch (error) {
    const mayHaveRun = error instanceof WorkspaceError && ["unavailable", "repeated"].includes(error.code);
    if (!mayHaveRun) throw error;
    return await findResult(workspace, ctx);
  }
};

/** Waits for a command whose connection was lost. If the run is stopped, before or during the wait, the command is ended too. */
const findResult = async (
  workspace: Workspace,
  { callKey, signal }: ToolContext,
): Promise<CommandResult | undefined> => {
  const found = signal.aborted ? undefined : await unlessLost(workspace.find(callKey, signal));
  if (found !== undefined || !signal.aborted) return found;
  return await unlessLost(withTimeLimit(STOPPED_WAIT_MS, (inTime) => workspace.stop(callKey, inTime)));
};

const unlessLost = async (result: Promise<CommandResult | undefined>): Promise<CommandResult | undefined> => {
  try {
    return await result;
  } catch (error) {
    // Unreachable, or the run was stopped while it waited: nobody can tell.
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
};

/** Passes output on up to a limit, and says once that the rest is not shown. */
const boundedOutput = (output: ToolContext["output"]): ToolContext["output"] => {
  let room = MAX_SENT_LENGTH;
  return (stream, text) => {
    if (room <= 0) return;
    output(stream, cutText(text, room));
    room -= text.length;
    if (room <= 0) output(stream, "\n[Further output is not shown.]\n");
  };
};

const LOST: ToolResult = {
  output:
    "The workspace became unreachable while the command ran, so it is not known whether it finished. Check what it would have changed before you run it again.",
  isError: true,
  isUnknown: true,
};
