/**
 * Settles the calls of one model message: reads at once and together, then edits and commands one after the other, so
 * that at most one request is open. Starts from any state a crash can leave a call in.
 */

import { AppError } from "../contract/app-error.ts";
import { cutText } from "../contract/cut-text.ts";
import { errorText } from "../contract/error-text.ts";
import type { PermissionSubject } from "../contract/permission.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { awaitEffect, awaitRecovery } from "./await-effect.ts";
import type { PermissionGate, TurnJournal } from "./journal.ts";
import { permissionAsk } from "./permission.ts";
import { cutOutput, MAX_OUTPUT_BYTES } from "./tool-results.ts";
import type { FileChange, PreparedCall, Tool, ToolContext, ToolResult } from "./tools/tool.ts";
import type { CallResult, ToolCall } from "./turn.ts";
import { untilAborted } from "./until-aborted.ts";

/** What settling needs from outside. */
export type SettleDeps = {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly gate: PermissionGate;
  readonly journal: TurnJournal;
  /** Key of a call that is the same on every try. */
  readonly callKey: (toolCallId: string) => string;
  /** Whether the subject is too long for its event, so that a person would see a part of it. */
  readonly isSubjectCut: (subject: PermissionSubject) => boolean;
};

/** Most of an unknown tool's name that is repeated, in UTF-16 units: more than any of ours has. */
const MAX_NAME_LENGTH = 64;

/** Told to the model for calls that never ran because the run was stopped. */
export const INTERRUPTED = "Not run: the person stopped the run first.";

/** All calls with their results, in the model's order, or `waiting` for a person. */
export const settleCalls = async (
  calls: readonly ToolCall[],
  deps: SettleDeps,
  signal: AbortSignal,
): Promise<readonly ToolCall[] | "waiting"> => {
  const results = new Map<string, CallResult>();
  const settle = async (call: ToolCall): Promise<"waiting" | undefined> => {
    const result = await settleCall(call, deps, signal);
    if (result === "waiting") return "waiting";
    results.set(call.toolCallId, result);
    return undefined;
  };
  const open = calls.filter((call) => call.state.type !== "ended");
  await Promise.all(open.filter((call) => deps.gate.runsUnasked(call.kind)).map(settle));
  for (const call of open.filter((other) => !deps.gate.runsUnasked(other.kind))) {
    if ((await settle(call)) === "waiting") return "waiting";
  }
  return calls.map((call) => {
    const result = results.get(call.toolCallId);
    return result ? { ...call, state: { type: "ended", result } } : call;
  });
};

const settleCall = async (call: ToolCall, deps: SettleDeps, signal: AbortSignal): Promise<CallResult | "waiting"> => {
  const end = async (result: CallResult, fileChange?: FileChange): Promise<CallResult> => {
    // Here all outputs come by on their way into the conversation, whatever tool they are of.
    const told = { ...result, output: result.output.toWellFormed() };
    await deps.journal.endCall(call.toolCallId, told, fileChange);
    return told;
  };
  const { state } = call;
  if (state.type === "ended") return state.result;
  if (state.type === "asking" && !signal.aborted) return "waiting";
  if (state.type === "rejected") return await end({ status: "denied", output: state.reason });

  const tool = deps.tools.get(call.tool);
  const prepared = tool?.prepare(call.input) ?? { problem: unknownTool(call.tool, deps.tools) };
  if (state.type === "started") return await recoverCall(call, prepared, deps, signal, end);
  if ("problem" in prepared) return await end(failed(prepared.problem));
  if (signal.aborted) return await end({ status: "aborted", output: INTERRUPTED });

  if (state.type === "pending" && !deps.gate.runsUnasked(call.kind)) {
    const permission = await untilAborted(signal, permissionFor(call, prepared, deps));
    if (permission === "aborted" || signal.aborted) return await end({ status: "aborted", output: INTERRUPTED });
    if ("problem" in permission) return await end(failed(permission.problem));
    if (!permission.isCovered) {
      await deps.journal.ask(call, permission.ask);
      return "waiting";
    }
    await deps.journal.allowByRule(call, permission.ask);
    if (signal.aborted) return await end({ status: "aborted", output: INTERRUPTED });
  }
  return await runCall(call, prepared, deps, signal, end);
};

/** A model that made a name up is given those there are, in the order in which it knows them. */
const unknownTool = (name: string, tools: SettleDeps["tools"]): string =>
  `There is no tool named ${cutText(name.toWellFormed(), MAX_NAME_LENGTH)}. The tools are: ${[...tools.keys()].join(", ")}.`;

type EndCall = (result: CallResult, fileChange?: FileChange) => Promise<CallResult>;

const runCall = async (
  call: ToolCall,
  prepared: PreparedCall,
  deps: SettleDeps,
  signal: AbortSignal,
  end: EndCall,
): Promise<CallResult> => {
  // A read that is cut short by a crash simply runs again, so nothing has to remember that it started.
  if (!deps.gate.runsUnasked(call.kind)) await deps.journal.markStarted(call.toolCallId);
  return await finishCall(call, prepared.run(contextOf(call, deps, signal)), signal, end);
};

/** A crash left the call started: only the tool knows how to find out whether it was done. */
const recoverCall = async (
  call: ToolCall,
  prepared: ReturnType<Tool["prepare"]>,
  deps: SettleDeps,
  signal: AbortSignal,
  end: EndCall,
): Promise<CallResult> => {
  const ctx = contextOf(call, deps, signal);
  if ("problem" in prepared) return await end({ status: "unknown", output: UNKNOWN_EFFECT });
  const finding = prepared.recover?.(ctx).catch(unknownEffect);
  const found = finding === undefined ? "unknown" : await awaitRecovery(finding, signal);
  if (found === "unknown") return await end({ status: "unknown", output: UNKNOWN_EFFECT });
  if (found === "no_effect") return await end({ status: "aborted", output: INTERRUPTED });
  if (found !== "rerun") return await end(resultOf(found), found.fileChange);
  return await finishCall(call, prepared.run(ctx), signal, end);
};

const finishCall = async (
  call: ToolCall,
  running: ReturnType<PreparedCall["run"]>,
  signal: AbortSignal,
  end: EndCall,
): Promise<CallResult> => {
  const done = await awaitEffect(running, call.kind === "read", signal);
  if (done === "aborted" || done === "no_effect") return await end({ status: "aborted", output: INTERRUPTED });
  if (done === "unknown") return await end({ status: "unknown", output: UNKNOWN_EFFECT });
  return await end(resultOf(done), done.fileChange);
};

/** Finds out what to show and whether a rule already covers it. */
const permissionFor = async (call: ToolCall, prepared: PreparedCall, deps: SettleDeps) => {
  if (prepared.propose === undefined) return { problem: `${call.tool} cannot say what it would do.` };
  const proposal = await prepared.propose().catch((error: unknown) => ({ problem: messageOf(error) }));
  if ("problem" in proposal) return proposal;
  const { subject } = proposal;
  const mayBecomeRule = prepared.mayBecomeRule && deps.gate.mayBecomeRule(subject);
  const ask = permissionAsk(proposal, { mayBecomeRule, isCut: deps.isSubjectCut(subject) });
  return { ask, isCovered: ask.rule !== undefined && (await deps.gate.isCovered(subject)) };
};

const contextOf = (call: ToolCall, deps: SettleDeps, signal: AbortSignal): ToolContext => {
  const shown = deps.gate.runsUnasked(call.kind) ? undefined : deps.journal.shown(call.toolCallId);
  return {
    callKey: deps.callKey(call.toolCallId),
    signal,
    ...(shown === undefined ? {} : { shown }),
    output: (stream, text) => deps.journal.output(call.toolCallId, stream, text),
  };
};

const resultOf = (result: ToolResult): CallResult => ({
  status: result.isUnknown ? "unknown" : result.isError ? "failed" : "completed",
  output: cutOutput(result.output, MAX_OUTPUT_BYTES),
});

const failed = (output: string): CallResult => ({ status: "failed", output });

/** A refusal is for the model to read; anything else is a bug, and its words are for the log. */
const messageOf = (error: unknown): string => {
  if (error instanceof AppError || error instanceof WorkspaceError) return error.message;
  console.error(JSON.stringify({ level: "error", message: "A subject broke.", error: errorText(error) }));
  return "It could not be found out what this would change. Try again.";
};

/** What cannot be found out now stays unknown: asking again later would leave the model waiting. */
const unknownEffect = (error: unknown): "unknown" => {
  console.warn(JSON.stringify({ level: "warn", message: "A call could not be recovered.", error: errorText(error) }));
  return "unknown";
};

const UNKNOWN_EFFECT =
  "It is not known whether this had its effect: the work was cut off in the middle. Look before you do it again.";
