/** Which calls of a run need a person, and which a standing rule of its thread covers. */
import type { PermissionSubject } from "../contract/permission.ts";
import type { Env } from "../env.ts";
import type { PermissionGate } from "../harness/journal.ts";
import { isOpenToRules, ruleCovers, runsUnasked } from "../harness/permission.ts";
import { ownSourceDirOf } from "./open-workspace.ts";
import { reach } from "./reach.ts";
import type { RequestStore } from "./request-store.ts";
import type { RunSpec } from "./run-spec.ts";

/** What the gate looks at. */
export type GateParts = {
  readonly env: Env;
  /** The run's own requests: they are counted anew for each call, so a crash forgets none. */
  readonly requests: Pick<RequestStore, "countByRule">;
  /** Sends new standing rules to the session, so that the gate finds them there. */
  readonly deliver: () => Promise<void>;
};

/** Whose run it is, and where its rules are. */
type GateSpec = Pick<RunSpec, "sessionId" | "ownerEmail" | "permissionMode"> & { readonly runId: string };

/** The gate of one run. */
export const permissionGate = (spec: GateSpec, { env, requests, deliver }: GateParts): PermissionGate => {
  const mayBecomeRule = (subject: PermissionSubject): boolean =>
    isOpenToRules(subject, {
      ownSourceDir: ownSourceDirOf(env, spec.ownerEmail),
      coveredCalls: (action) => requests.countByRule(action),
    });
  return {
    runsUnasked: (kind) => runsUnasked(spec.permissionMode, kind),
    mayBecomeRule,
    isCovered: async (subject) => {
      // Also for rules that were made before, when more was offered.
      if (!mayBecomeRule(subject)) return false;
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
  };
};
