/** Assembles the world a turn runs in: tools, permission gate, model and screen, all on the owner's behalf. */

import type { ActionContext } from "../../actions/define-action.ts";
import { AGENT_ACTIONS } from "../../actions/registry.ts";
import { createIdSource } from "../../contract/ids.ts";
import { openDb } from "../../db/db.ts";
import { claimAnswer, findAnswer, isClaim } from "../../db/idempotency.ts";
import { areLoginsConfirmed } from "../../db/logins.ts";
import type { Env } from "../../env.ts";
import type { HarnessAdapter, SessionCopy, Toolset, TurnWorld } from "../../harness/adapter.ts";
import type { TurnJournal } from "../../harness/journal.ts";
import { type PermissionGate, permissionGate } from "../../harness/permission-gate.ts";
import { readInstructions } from "../../harness/read-instructions.ts";
import { type ActionCalls, actionTool } from "../../harness/tools/action-tool.ts";
import { navigateTool } from "../../harness/tools/navigate.ts";
import { askUserTool, proposePlanTool, setTodosTool } from "../../harness/tools/person-tools.ts";
import { workspaceTools } from "../../harness/tools/workspace-tools.ts";
import type { HarnessState } from "../../harness/turn.ts";
import type { Model } from "../../model/model.ts";
import { reach } from "../../objects/reach.ts";
import { openPrices } from "../../quotes/prices.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { queueSessionOf, type RunSpec } from "../run-spec.ts";
import { isLive } from "../run-state.ts";
import type { Ledger } from "../store/ledger.ts";
import type { RequestStore } from "../store/request-store.ts";
import { isSubjectCut } from "../store/run-events.ts";
import { findAgentHost, openWorkspace } from "./open-workspace.ts";
import { runBudget } from "./run-budget.ts";
import { runKeeper } from "./run-keeper.ts";
import { ownSourceDirOf, workspaceDirOf } from "./served-workspace.ts";

/** What the object passes to a turn. */
export type WorldParts = {
  readonly env: Env;
  readonly ledger: Ledger;
  readonly harness: HarnessAdapter;
  readonly journal: TurnJournal;
  readonly model: Model;
  readonly turnState: HarnessState;
  readonly toolbox: Toolbox;
  /** Sends new standing rules to the session, so that the gate finds them there. */
  readonly deliver: () => Promise<void>;
  readonly newId: () => string;
};

/** What a run gives to its harness (run.md, Driving). */
export const turnWorld = (parts: WorldParts): TurnWorld => {
  const { spec } = parts.ledger.record();
  const { workspace, tools } = parts.toolbox;
  return {
    runId: spec.runId,
    state: parts.turnState,
    keeper: runKeeper(parts.env, parts.ledger, parts.harness),
    readInstructions: () => readInstructions(workspace),
    permissionMode: spec.permissionMode,
    model: parts.model,
    effort: spec.effort,
    tools,
    gate: gateOf(spec, { env: parts.env, requests: parts.ledger.requests, deliver: parts.deliver }),
    budget: runBudget(parts.env, parts.ledger, parts.model),
    journal: parts.journal,
    sessionCopy: sessionCopy(parts.env, parts.ledger),
    host: findAgentHost(parts.env, spec.ownerEmail),
    callKey: (toolCallId) => `run:${spec.runId}:${toolCallId}`,
    isSubjectCut,
    newId: parts.newId,
  };
};

/** What the gate of a run depends on. */
export type GateWorld = {
  readonly env: Env;
  /** The run's own requests. They are counted again for each call, so a crash forgets none. */
  readonly requests: Pick<RequestStore, "countByRule" | "hasAcceptedPlan" | "speakers">;
  /** Sends new standing rules to the session, so that the gate finds them there. */
  readonly deliver: () => Promise<void>;
};

/** The gate of one run; its thread's first session has the rules. */
export const gateOf = (
  spec: Pick<
    RunSpec,
    | ("sessionId" | "queueSessionId" | "ownerEmail" | "workspaceDir")
    | ("permissionMode" | "mode" | "scheduleId" | "loginId")
  >,
  { env, requests, deliver }: GateWorld,
): PermissionGate =>
  permissionGate({
    mode: spec.permissionMode,
    workspaceDir: spec.workspaceDir,
    hasMoved: workspaceDirOf(env, spec.ownerEmail) !== spec.workspaceDir,
    limits: {
      ownSourceDir: ownSourceDirOf(env, spec.ownerEmail),
      isScheduled: spec.scheduleId !== undefined,
      coveredCalls: (action) => requests.countByRule(action),
    },
    areSpeakersConfirmed: async () => {
      const speakers = requests.speakers(spec.loginId);
      return speakers.length === 0 || (await areLoginsConfirmed(openDb(env.DB), speakers));
    },
    isPlanning: () => spec.mode === "plan" && !requests.hasAcceptedPlan(),
    findRules: async () => {
      await deliver();
      return await reach(async () => await env.SESSIONS.getByName(queueSessionOf(spec)).listRules());
    },
  });

/** The tools of a turn, and the workspace behind them. */
type Toolbox = {
  readonly workspace: () => Promise<Workspace>;
  readonly tools: Toolset;
};

/** On whose behalf tools act. */
type Actor = Pick<RunSpec, "ownerEmail" | "orgId" | "runId">;

/** The tools that act on the owner's behalf. */
export const turnToolbox = (env: Env, who: Actor, nowMs: () => number): Toolbox => {
  const calls = actionCalls(env, who, nowMs);
  const workspace = workspaceOf(env, who);
  const actions = AGENT_ACTIONS.map((action) => actionTool(action, calls));
  const person = [askUserTool, setTodosTool, proposePlanTool];
  return { workspace, tools: { app: [...actions, navigateTool], workspace: workspaceTools(workspace), person } };
};

/** Opens the workspace once, and only for a turn that uses it. */
const workspaceOf = (env: Env, { ownerEmail }: Actor): (() => Promise<Workspace>) => {
  let opened: Promise<Workspace> | undefined;
  return () => {
    opened ??= openWorkspace(env, ownerEmail);
    return opened;
  };
};

const actionCalls = (env: Env, who: Actor, nowMs: () => number): ActionCalls => {
  const db = openDb(env.DB);
  const { ownerEmail, orgId, runId } = who;
  const ctx: ActionContext = {
    db,
    caller: { ownerEmail, orgId },
    via: "agent",
    runId,
    // Not awaited: the run keeps the object alive, and the next list asks again for what is missing.
    prices: openPrices(env, { ownerEmail, orgId }, nowMs, () => undefined),
    nowMs,
    newId: createIdSource(nowMs),
  };
  return {
    run: (action, input, callKey, basis) =>
      action.run({ ...ctx, replayKey: callKey, ...(basis === undefined ? {} : { basis }) }, input),
    before: async (action, input) => await action.before?.(ctx, input),
    find: async (key) => {
      const stored = await findAnswer(db, { ownerEmail, scope: "agent", key }, nowMs());
      return stored === undefined || isClaim(stored) ? undefined : stored.response;
    },
    claim: (key) => claimAnswer(db, { ownerEmail, scope: "agent", key }, nowMs()),
  };
};

/** The copy of a harness's own file, in the session of the run, for its current grant. */
const sessionCopy = (env: Env, ledger: Ledger): SessionCopy => {
  const { runId, sessionId } = ledger.record().spec;
  const session = () => env.SESSIONS.getByName(sessionId);
  return {
    size: async () => (await reach(async () => await session().copied(Number.MAX_SAFE_INTEGER))).size,
    piece: async (offset) => (await reach(async () => await session().copied(offset))).piece,
    add: async (offset, bytes) => {
      const state = ledger.runs.find()?.state;
      if (state === undefined || !isLive(state)) return false;
      const { grant } = state;
      return await reach(async () => await session().addCopy(runId, grant, { offset, bytes }));
    },
  };
};
