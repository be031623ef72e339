/** Puts together the world a turn runs in: tools, permission gate, model and screen, all in the owner's name. */
import type { ActionContext } from "../actions/define-action.ts";
import { AGENT_ACTIONS } from "../actions/registry.ts";
import { createIdSource } from "../contract/id-source.ts";
import type { PermissionSubject } from "../contract/permission.ts";
import { type Db, openDb } from "../db/db.ts";
import { findAnswer } from "../db/idempotency.ts";
import type { Env } from "../env.ts";
import type { HarnessSessionSpec } from "../harness/adapter.ts";
import type { ResumeState } from "../harness/fit-conversation.ts";
import type { PermissionGate, TurnJournal } from "../harness/journal.ts";
import { ruleCovers, runsUnasked } from "../harness/permission.ts";
import { type ActionCalls, actionTool } from "../harness/tools/action-tool.ts";
import { navigateTool } from "../harness/tools/navigate.ts";
import { workspaceTools } from "../harness/tools/workspace-tools.ts";
import type { Model } from "../model/model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Ledger } from "./ledger.ts";
import { openWorkspace } from "./open-workspace.ts";
import { reach } from "./reach.ts";
import { isSubjectCut } from "./run-events.ts";
import type { RunSpec } from "./run-spec.ts";

/** What the object gives to a turn. */
export type WorldParts = {
  readonly env: Env;
  readonly ledger: Ledger;
  readonly journal: TurnJournal;
  readonly model: Model;
  readonly resumeState: ResumeState;
  /** The navigation state as JSON, or undefined. */
  readonly screen: string | undefined;
  /** Sends new standing rules to the session, so that the gate finds them there. */
  readonly deliver: () => Promise<void>;
  readonly nowMs: () => number;
  readonly newId: () => string;
};

/** The session spec of a run (spec §4.1.7), ready for its harness adapter. */
export const turnWorld = (parts: WorldParts): HarnessSessionSpec => {
  const { spec } = parts.ledger.record();
  const db = openDb(parts.env.DB);
  const calls = actionCalls(db, spec, parts);
  return {
    resumeState: parts.resumeState,
    workspaceDir: spec.workspaceDir,
    previousWorkspaceDir: spec.previousWorkspaceDir,
    permissionMode: spec.permissionMode,
    model: parts.model,
    tools: [
      ...AGENT_ACTIONS.map((action) => actionTool(action, calls)),
      navigateTool,
      ...workspaceTools(workspaceOf(parts.env, spec)),
    ],
    gate: permissionGate(spec, parts),
    journal: parts.journal,
    screen: parts.screen,
    callKey: (toolCallId) => `run:${spec.runId}:${toolCallId}`,
    isSubjectCut,
    newId: parts.newId,
    nowMs: parts.nowMs,
  };
};

/** Opens it once, and only for a turn that uses it. */
const workspaceOf = (env: Env, { ownerEmail }: RunSpec): (() => Promise<Workspace>) => {
  let opened: Promise<Workspace> | undefined;
  return () => {
    opened ??= openWorkspace(env, ownerEmail);
    return opened;
  };
};

const actionCalls = (db: Db, spec: RunSpec, { nowMs }: WorldParts): ActionCalls => {
  const { ownerEmail, orgId, runId } = spec;
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
    find: async (key) => (await findAnswer(db, { ownerEmail, scope: "agent", key }, nowMs()))?.response,
  };
};

const permissionGate = (spec: RunSpec, { env, deliver }: WorldParts): PermissionGate => ({
  runsUnasked: (kind) => runsUnasked(spec.permissionMode, kind),
  isCovered: async (subject: PermissionSubject) => {
    await deliver();
    try {
      const rules = await reach(async () => await env.SESSIONS.getByName(spec.sessionId).listRules());
      return rules.some(({ scope }) => ruleCovers(scope, subject));
    } catch (error) {
      // Without the rules nothing is covered: asking once too often is the safe side.
      console.warn(JSON.stringify({ level: "warn", message: "No rules.", runId: spec.runId, error: String(error) }));
      return false;
    }
  },
});
