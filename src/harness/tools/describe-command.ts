/** How a command ended and what it printed, in words for the model. */
import { cutText } from "../../contract/plain-text.ts";
import { cutMiddle } from "../../workspace/cut-middle.ts";
import type { CommandResult } from "../../workspace/workspace.ts";
import type { ToolResult } from "./tool.ts";

/** Bytes of each stream that the model reads; a person sees more in the transcript. The end of a log matters most. */
const MAX_STREAM_BYTES = 30_000;

/** The result: failed unless the command exited with 0, and unknown when it was stopped before it finished. */
export const describeCommand = (result: CommandResult, timeoutMs: number): ToolResult => {
  const stdout = cutMiddle(result.stdout, MAX_STREAM_BYTES);
  const stderr = cutMiddle(result.stderr, MAX_STREAM_BYTES);
  const isCut = result.isCut || stdout.isCut || stderr.isCut;
  const output = [
    describeEnd(result, timeoutMs),
    ...(stdout.text === "" ? [] : [`stdout:\n${stdout.text.trimEnd()}`]),
    ...(stderr.text === "" ? [] : [`stderr:\n${stderr.text.trimEnd()}`]),
    ...(stdout.text === "" && stderr.text === "" ? ["It printed nothing."] : []),
    ...(isCut ? [CUT_NOTE] : []),
  ].join("\n");
  return {
    output,
    isError: result.end !== "exited" || result.exitCode !== 0,
    ...(result.end === "aborted" ? { isUnknown: true } : {}),
  };
};

const CUT_NOTE =
  "[The output was long: a part of it is left out. If it can be run again without harm, redirect it to a file to read all of it.]";

const describeEnd = ({ end, exitCode }: CommandResult, timeoutMs: number): string => {
  switch (end) {
    case "exited":
      return exitCode === null ? "Ended by a signal." : `Exit code ${exitCode}.`;
    case "timed_out":
      return `Timed out: it was stopped after ${timeoutMs} ms. What it had done by then is done.`;
    case "aborted":
      return "Stopped: the run was stopped while it ran. What it had done by then is done.";
  }
};

/** UTF-16 units of a command that fit in a title. */
const MAX_SHOWN_LENGTH = 80;

/**
 * The title of a command, which people agree to. It is one line: `Run npm test`, or `Run make … and 120 more characters` for a
 * command that is longer or has further lines.
 */
export const commandTitle = (command: string): string => {
  const text = command.trim();
  const [line = ""] = text.split(/[\n\r\v\f\x85\u2028\u2029]/, 1);
  const shown = cutText(line, MAX_SHOWN_LENGTH).trimEnd();
  const left = text.length - shown.length;
  return left === 0 ? `Run ${shown}` : `Run ${shown} … and ${left} more characters`;
};
