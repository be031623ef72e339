/**
 * The standing permissions of a thread. A rule keeps the id of the request it was made by, and its row when it is revoked:
 * a delivery that is repeated later must not bring it back.
 */
import * as z from "zod";
import { RequestId } from "../contract/ids.ts";
import { RuleScope } from "../contract/permission.ts";

/** A rule as it is stored. */
export const StandingRule = z.object({
  ruleId: RequestId,
  scope: RuleScope,
  label: z.string(),
  createdAtMs: z.int(),
});
export type StandingRule = z.infer<typeof StandingRule>;

type Row = { rule_id: string; scope: string; label: string; created_at_ms: number };

/** The `rule` table of one session. */
export class RuleStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** All rules, oldest first. */
  list(): StandingRule[] {
    const rows = this.#sql.exec<Row>("SELECT * FROM rule WHERE revoked_at_ms IS NULL ORDER BY created_at_ms, rule_id");
    return [...rows].map((row) =>
      StandingRule.parse({
        ruleId: row.rule_id,
        scope: JSON.parse(row.scope),
        label: row.label,
        createdAtMs: row.created_at_ms,
      }),
    );
  }

  add(rule: StandingRule): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO rule (rule_id, scope, label, created_at_ms) VALUES (?, ?, ?, ?)",
      rule.ruleId,
      JSON.stringify(rule.scope),
      rule.label,
      rule.createdAtMs,
    );
  }

  /** Whether there was such a rule. */
  revoke(ruleId: RequestId, nowMs: number): boolean {
    const revoked = this.#sql.exec(
      "UPDATE rule SET revoked_at_ms = ? WHERE rule_id = ? AND revoked_at_ms IS NULL RETURNING rule_id",
      nowMs,
      ruleId,
    );
    return [...revoked].length > 0;
  }
}
