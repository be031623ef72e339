/**
 * The standing rules of a thread. A rule's id is that of the request that created it, and its row is kept when it is revoked, so
 * that a repeated delivery cannot bring it back.
 */
import * as z from "zod";
import { RequestId } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { isRecord, parseJson } from "../contract/parse-json.ts";
import { RuleScope } from "../contract/permission.ts";
import { within } from "../contract/within.ts";
import { openDb } from "../db/db.ts";
import { areLoginsConfirmed } from "../db/logins.ts";
import type { ObjectTables } from "../objects/object-tables.ts";
import { RULE_TABLES } from "./session-schema.ts";

/** How long D1 may take to answer about log-ins, in ms. */
const SPEAKERS_LIMIT_MS = 5_000;

/** A rule as it is stored. */
export const StandingRule = z.object({
  ruleId: RequestId,
  scope: RuleScope,
  /**
   * The workspace of the run that made it. Undefined for a rule of an earlier release, until the thread moves to another one (`leave`).
   */
  workspaceDir: z.string().optional(),
  label: z.string(),
  createdAtMs: z.int(),
});
export type StandingRule = z.infer<typeof StandingRule>;

/** `scope` is JSON of the scope, with `workspaceDir` added, which earlier releases ignore. */
type Row = { rule_id: string; scope: string; label: string; created_at_ms: number };

/** The `rule` table of one session. */
export class RuleStore {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /** All rules, oldest first. */
  list(): StandingRule[] {
    if (!this.#tables.has("rule")) return [];
    const rows = this.#tables.sql.exec<Row>(
      "SELECT * FROM rule WHERE revoked_at_ms IS NULL ORDER BY created_at_ms, rule_id",
    );
    return [...rows].map(({ rule_id: ruleId, scope: stored, label, created_at_ms: createdAtMs }) => {
      const scope = parseJson(stored);
      const workspaceDir = isRecord(scope) ? scope.workspaceDir : undefined;
      return StandingRule.parse({ ruleId, scope, workspaceDir, label, createdAtMs });
    });
  }

  add(rule: StandingRule): void {
    this.#tables.make(RULE_TABLES);
    this.#tables.sql.exec(
      "INSERT OR IGNORE INTO rule (rule_id, scope, label, created_at_ms) VALUES (?, ?, ?, ?)",
      rule.ruleId,
      JSON.stringify({ ...rule.scope, workspaceDir: rule.workspaceDir }),
      rule.label,
      rule.createdAtMs,
    );
  }

  /**
   * Called when the thread leaves a workspace: rules of an earlier release, which name no workspace, were made in the one it leaves. In the
   * caller's transaction.
   */
  leave(workspaceDir: string): void {
    if (!this.#tables.has("rule")) return;
    this.#tables.sql.exec(
      "UPDATE rule SET scope = json_set(scope, '$.workspaceDir', ?) WHERE scope ->> '$.workspaceDir' IS NULL",
      workspaceDir,
    );
  }

  /**
   * Whether the rules for commands outlast a run to which these log-ins have spoken (decision 0083). They do not if D1 says nothing of the
   * log-ins: asking once too often is safe.
   */
  async keepsCommands(d1: D1Database, speakers: readonly string[]): Promise<boolean> {
    if (speakers.length === 0 || !this.list().some(({ scope }) => scope.type === "command")) return true;
    return await within(SPEAKERS_LIMIT_MS, () => areLoginsConfirmed(openDb(d1), speakers)).catch((error: unknown) => {
      log.warn("Rules for commands are revoked.", { error });
      return false;
    });
  }

  /** Revokes the rules for commands. In the caller's transaction. */
  revokeCommands(nowMs: number): void {
    const sql = "UPDATE rule SET revoked_at_ms = ? WHERE scope ->> '$.type' = 'command' AND revoked_at_ms IS NULL";
    if (this.#tables.has("rule")) this.#tables.sql.exec(sql, nowMs);
  }

  /** Revokes a rule, if there is one. */
  revoke(ruleId: RequestId, nowMs: number): void {
    if (!this.#tables.has("rule")) return;
    const sql = "UPDATE rule SET revoked_at_ms = ? WHERE rule_id = ? AND revoked_at_ms IS NULL";
    this.#tables.sql.exec(sql, nowMs, ruleId);
  }
}
