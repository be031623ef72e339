/** Puts together the world a turn runs in: tools, permission gate, model and screen, all in the owner's name. */
import type { ActionContext } from "../actions/define-action.ts";
import { AGENT_ACTIONS } from "../actions/registry.ts";
import { createIdSource } from "../contract/id-source.ts";
import { type Db, openDb } from "../db/db.ts";
import { claimAnswer, findAnswer, isClaim } from "../db/idempotency.ts";
import type { Env } from "../env.ts";
import type { HarnessSessionSpec } from "../harness/adapter.ts";
import type { ResumeState, TurnState } from "../harness/conversation.ts";
import type { TurnJournal } from "../harness/journal.ts";
import { readInstructions } from "../harness/read-instructions.ts";
import { type RequestPrefix, requestPrefix } from "../harness/request-prefix.ts";
import { type ActionCalls, actionTool } from "../harness/tools/action-tool.ts";
import { navigateTool } from "../harness/tools/navigate.ts";
import type { Tool } from "../harness/tools/tool.ts";
import { workspaceTools } from "../harness/tools/workspace-tools.ts";
import type { Model } from "../model/model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Ledger } from "./ledger.ts";
import { openWorkspace } from "./open-workspace.ts";
import { permissionGate } from "./permission-gate.ts";
import { runBudget } from "./run-budget.ts";
import { isSubjectCut } from "./run-events.ts";
import { runKeeper } from "./run-keeper.ts";
import type { RunSpec } from "./run-spec.ts";

/** What the object gives to a turn. */
export type WorldParts = {
  readonly env: Env;
  readonly ledger: Ledger;
  readonly journal: TurnJournal;
  readonly model: Model;
  readonly resumeState: ResumeState;
  readonly turnState: TurnState;
  readonly toolbox: Toolbox;
  /** Sends new standing rules to the session, so that the gate finds them there. */
  readonly deliver: () => Promise<void>;
  readonly newId: () => string;
};

/** The session spec of a run (spec §4.1.7), ready for its harness adapter. */
export const turnWorld = (parts: WorldParts): HarnessSessionSpec => {
  const { spec } = parts.ledger.record();
  const { workspace, tools, prefix } = parts.toolbox;
  return {
    runId: spec.runId,
    resumeState: parts.resumeState,
    turnState: parts.turnState,
    keeper: runKeeper(parts.env, parts.ledger),
    readInstructions: () => readInstructions(workspace),
    permissionMode: spec.permissionMode,
    model: parts.model,
    effort: spec.effort,
    tools,
    prefix,
    gate: permissionGate(spec, { env: parts.env, requests: parts.ledger.requests, deliver: parts.deliver }),
    budget: runBudget(parts.env, parts.ledger, parts.model),
    journal: parts.journal,
    callKey: (toolCallId) => `run:${spec.runId}:${toolCallId}`,
    isSubjectCut,
    newId: parts.newId,
  };
};

/** The tools of a turn, and how its requests begin because of them. */
export type Toolbox = {
  readonly workspace: () => Promise<Workspace>;
  readonly tools: readonly Tool[];
  readonly prefix: RequestPrefix;
};

/** In whose name tools act. */
type Actor = Pick<RunSpec, "ownerEmail" | "orgId" | "runId">;

/** The tools that act in the owner's name, in the order in which every request has them. */
export const turnToolbox = async (env: Env, who: Actor, nowMs: () => number): Promise<Toolbox> => {
  const calls = actionCalls(openDb(env.DB), who, nowMs);
  const workspace = workspaceOf(env, who);
  const actions = AGENT_ACTIONS.map((action) => actionTool(action, calls));
  const tools = [...actions, navigateTool, ...workspaceTools(workspace)];
  return { workspace, tools, prefix: await requestPrefix(tools) };
};

/** Opens it once, and only for a turn that uses it. */
const workspaceOf = (env: Env, { ownerEmail }: Actor): (() => Promise<Workspace>) => {
  let opened: Promise<Workspace> | undefined;
  return () => {
    opened ??= openWorkspace(env, ownerEmail);
    return opened;
  };
};

const actionCalls = (db: Db, who: Actor, nowMs: () => number): ActionCalls => {
  const { ownerEmail, orgId, runId } = who;
  const ctx: ActionContext = {
    db,
    caller: { ownerEmail, orgId },
    via: "agent",
    runId,
    nowMs,
    newId: createIdSource(nowMs),
  };
  return {
    run: (action, input, callKey) => action.run({ ...ctx, replayKey: callKey }, input),
    before: async (action, input) => await action.before?.(ctx, input),
    find: async (key) => {
      const stored = await findAnswer(db, { ownerEmail, scope: "agent", key }, nowMs());
      return stored === undefined || isClaim(stored) ? undefined : stored.response;
    },
    claim: (key) => claimAnswer(db, { ownerEmail, scope: "agent", key }, nowMs()),
  };
};
