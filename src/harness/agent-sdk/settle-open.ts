/** What becomes of calls that no process is running any more: after a person's answer, a crash, or an abort. */
import { log } from "../../contract/log.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { type SettleDeps, settleCalls } from "../settle-calls.ts";
import type { FileChange } from "../tools/tool.ts";
import type { CallResult, ToolCall } from "../turn.ts";
import type { AgentHost } from "./agent-host.ts";
import type { LastCalls } from "./last-calls.ts";
import { basisOf, fileChangeOf } from "./sdk-calls.ts";

type Ended = { readonly result: CallResult; readonly fileChange?: FileChange | undefined };

/**
 * Ends all open calls except `deferred`, which the session can go on with. Actions run if they may, and an edit that had started is
 * compared with its file. The rest was rejected or has not run, or nobody can tell. `waiting`: a person has to answer first.
 */
export const settleOpen = async (
  calls: LastCalls,
  deferred: ToolCall | undefined,
  { host, deps }: { readonly host: AgentHost; readonly deps: SettleDeps },
  signal: AbortSignal,
): Promise<"settled" | "waiting"> => {
  // A call that the model made up under the bare name of one of our tools is shown as `execute`; none of ours has that kind.
  const isOwn = (call: ToolCall): boolean => call.kind !== "execute" && deps.tools.has(call.tool);
  for (const call of calls.open.filter((one) => !isOwn(one) && one.toolUseId !== deferred?.toolUseId)) {
    if (call.state.type === "asking" && !signal.aborted) return "waiting";
    const { result, fileChange } = await endOf(call, host, deps, signal);
    await calls.end(call, result, fileChange);
  }
  const settled = await settleCalls(calls.open.filter(isOwn), deps, signal);
  if (settled === "waiting") return "waiting";
  for (const call of settled) calls.note(call, call.state);
  return "settled";
};

/** How a call of the SDK's own tools ended. */
const endOf = async (
  call: ToolCall,
  host: AgentHost,
  { journal, gate }: SettleDeps,
  { aborted }: AbortSignal,
): Promise<Ended> => {
  if (call.state.type === "rejected") return { result: { status: "denied", output: call.state.reason } };
  if (call.state.type !== "started") {
    const output = call.state.type === "allowed" && !aborted ? NOT_RUN_YET : INTERRUPTED_CALL;
    return { result: { status: "aborted", output } };
  }
  const shown = journal.shown(call.toolCallId);
  const basis = basisOf(shown);
  const isHere = gate.elsewhere(shown?.subject) === undefined;
  const now = shown?.subject.type === "edit" && isHere ? await stateNow(host, shown.subject.path) : undefined;
  if (now !== undefined && now === basis?.after) {
    return { result: { status: "completed", output: "The file was changed." }, fileChange: fileChangeOf(shown) };
  }
  if (now !== undefined && now === basis?.before) return { result: { status: "aborted", output: INTERRUPTED_CALL } };
  return { result: { status: "unknown", output: UNKNOWN } };
};

const stateNow = async (host: AgentHost, path: string): Promise<string | undefined> => {
  try {
    return await host.fileState(path);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.warn("A started edit could not be compared with its file.", { error: error.message });
    return undefined;
  }
};

const INTERRUPTED_CALL = "Not run: the work was interrupted first.";
const NOT_RUN_YET = "Allowed, but not run: the work was interrupted first. Call it again if it is still wanted.";
const UNKNOWN = "The work was interrupted while this ran, so it is not known what it did. Look before you do it again.";
