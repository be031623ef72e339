/**
 * Settles the calls of one model message: all reads at once, then whatever may ask a person, one call after the other, so that at most
 * one request is open. Starts from any state in which a crash can leave a call.
 */
import { AppError } from "../contract/app-error.ts";
import { log } from "../contract/log.ts";
import type { PermissionSubject } from "../contract/permission.ts";
import { untilAborted } from "../contract/within.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { awaitEffect, awaitRecovery } from "./await-effect.ts";
import type { TurnJournal } from "./journal.ts";
import { cutOutput, MAX_OUTPUT_BYTES, unknownTool } from "./model-text.ts";
import { type PermissionGate, permissionAsk } from "./permission-gate.ts";
import type { FileChange, PreparedCall, Tool, ToolContext, ToolResult } from "./tools/tool.ts";
import type { CallResult, ToolCall } from "./turn.ts";

/** What calls are settled with. */
export type SettleDeps = {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly gate: PermissionGate;
  readonly journal: Pick<
    TurnJournal,
    "ask" | "askQuestions" | "allowByRule" | "shown" | "markStarted" | "keepBefore" | "output" | "showTodos" | "endCall"
  >;
  /** A call's idempotency key, the same on every try. */
  readonly callKey: (toolCallId: string) => string;
  /** Whether the subject is too long for its event, so that a person would see only part of it. */
  readonly isSubjectCut: (subject: PermissionSubject) => boolean;
};

/** The result the model reads for calls that never ran because the run was stopped: by its person, or by its limits. */
export const INTERRUPTED = "Not run: the run was stopped first.";

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
  const { true: asking = [], false: quiet = [] } = Object.groupBy(open, (call) => `${asksFirst(call, deps)}`);
  await Promise.all(quiet.map(settle));
  for (const call of asking) {
    if ((await settle(call)) === "waiting") return "waiting";
  }
  return calls.map((call) => {
    const result = results.get(call.toolCallId);
    return result ? { ...call, state: { type: "ended", result } } : call;
  });
};

/** Whether a call asks a person before it ends, unless a rule covers it. */
const asksFirst = ({ kind, tool }: ToolCall, { gate, tools }: SettleDeps): boolean =>
  !gate.runsUnasked(kind) || tools.get(tool)?.asksPerson === true;

const settleCall = async (call: ToolCall, deps: SettleDeps, signal: AbortSignal): Promise<CallResult | "waiting"> => {
  const end = async (result: CallResult, fileChange?: FileChange): Promise<CallResult> => {
    // Outputs of tools that run here pass through this on their way to the conversation; those of the SDK's own tools pass through
    // `last-calls`.
    const told = { ...result, output: result.output.toWellFormed() };
    await deps.journal.endCall(call.toolCallId, told, fileChange);
    return told;
  };
  const { state } = call;
  if (state.type === "ended") return state.result;
  if (state.type === "asking" && !signal.aborted) return "waiting";
  if (state.type === "rejected") return await end({ status: "denied", output: state.reason });
  if (state.type === "answered") return await end({ status: "completed", output: state.output });

  const tool = deps.tools.get(call.tool);
  const prepared = tool?.prepare(call.input) ?? { problem: unknownTool(call.tool, [...deps.tools.keys()]) };
  if (state.type === "started") return await recoverCall(call, prepared, deps, signal, end);
  if ("problem" in prepared) return await end(failed(prepared.problem));
  if (signal.aborted) return await end({ status: "aborted", output: INTERRUPTED });

  const refusal = state.type === "pending" ? deps.gate.refusal(call) : undefined;
  if (refusal !== undefined) return await end(refusal);
  if (prepared.questions !== undefined) {
    await deps.journal.askQuestions(call, prepared.questions);
    return "waiting";
  }
  if (state.type === "pending" && asksFirst(call, deps)) {
    const permission = await untilAborted(signal, permissionFor(call, prepared, deps));
    if (permission === "aborted" || signal.aborted) return await end({ status: "aborted", output: INTERRUPTED });
    if ("result" in permission) return await end(permission.result);
    if (!permission.isCovered) {
      await deps.journal.ask(call, permission.ask);
      return "waiting";
    }
    await deps.journal.allowByRule(call, permission.ask);
    if (signal.aborted) return await end({ status: "aborted", output: INTERRUPTED });
  }
  // Allowed, by a person or a rule, for this stored input. It is not asked about again; `markStarted` refuses an outdated attempt.
  return await runCall(call, prepared, deps, signal, end);
};

type EndCall = (result: CallResult, fileChange?: FileChange) => Promise<CallResult>;

const runCall = async (
  call: ToolCall,
  prepared: PreparedCall,
  deps: SettleDeps,
  signal: AbortSignal,
  end: EndCall,
): Promise<CallResult> => {
  const ctx = contextOf(call, deps, signal);
  const moved = deps.gate.elsewhere(ctx.shown?.subject);
  if (moved !== undefined) return await end(moved);
  // A read that a crash interrupts simply runs again, so its start does not have to be recorded.
  if (!deps.gate.runsUnasked(call.kind)) await deps.journal.markStarted(call.toolCallId);
  return await finishCall(call, prepared.run(ctx), signal, end);
};

/** Settles a call that a crash interrupted: only its tool knows how to find out whether it took effect. */
const recoverCall = async (
  call: ToolCall,
  prepared: ReturnType<Tool["prepare"]>,
  deps: SettleDeps,
  signal: AbortSignal,
  end: EndCall,
): Promise<CallResult> => {
  const ctx = contextOf(call, deps, signal);
  // In another directory, an edit would be compared with the wrong file, and made there.
  const isElsewhere = ctx.shown?.subject.type === "edit" && deps.gate.elsewhere(ctx.shown.subject) !== undefined;
  if ("problem" in prepared || isElsewhere) return await end({ status: "unknown", output: UNKNOWN_EFFECT });
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

/** Finds out what a person would be shown, and whether a rule covers it, or how the call ends without being shown. */
const permissionFor = async (call: ToolCall, prepared: PreparedCall, deps: SettleDeps) => {
  if (prepared.propose === undefined) return { result: failed(`${call.tool} cannot say what it would do.`) };
  const proposal = await prepared.propose().catch((error: unknown) => ({ result: failed(messageOf(error)) }));
  if ("result" in proposal) return proposal;
  const { subject } = proposal;
  const moved = deps.gate.elsewhere(subject);
  if (moved !== undefined) return { result: moved };
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
    showTodos: (items) => deps.journal.showTodos(items),
    keepBefore: (file) => deps.journal.keepBefore(call.toolCallId, file),
    output: (stream, text) => deps.journal.output(call.toolCallId, stream, text),
  };
};

const resultOf = (result: ToolResult): CallResult => ({
  status: result.isUnknown ? "unknown" : result.isError ? "failed" : "completed",
  output: cutOutput(result.output, MAX_OUTPUT_BYTES),
});

const failed = (output: string): CallResult => ({ status: "failed", output });

/** A refusal is passed to the model; anything else is a bug, and its message goes to the log. */
const messageOf = (error: unknown): string => {
  if (error instanceof AppError || error instanceof WorkspaceError) return error.message;
  log.error("A subject broke.", { error });
  return "Could not determine what this would change. Try again.";
};

/** If the effect cannot be found out now, it stays unknown: asking again later would keep the model waiting. */
const unknownEffect = (error: unknown): "unknown" => {
  log.warn("A call could not be recovered.", { error });
  return "unknown";
};

const UNKNOWN_EFFECT =
  "The work was interrupted, so it is not known whether this took effect. Check before you do it again.";
