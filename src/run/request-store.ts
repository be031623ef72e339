/** The permission requests of a run: what was shown, what it could become, how it ended. At most one is open. */
import * as z from "zod";
import { RequestId } from "../contract/ids.ts";
import {
  DecidedBy,
  PermissionOption,
  PermissionOutcome,
  PermissionSubject,
  RuleScope,
  ToolKind,
} from "../contract/permission.ts";

/** A request with its whole subject, also where its event was cut. */
const StoredRequest = z.object({
  requestId: RequestId,
  toolCallId: z.string(),
  tool: z.string(),
  kind: ToolKind,
  title: z.string(),
  subject: PermissionSubject,
  /** What the tool made the subject from; never shown. */
  basis: z.string().exactOptional(),
  options: z.array(PermissionOption),
  expiresAt: z.string(),
});

/** How a request ended. */
export const RequestReply = z.object({ decision: PermissionOutcome, by: DecidedBy, message: z.string().optional() });
export type RequestReply = z.infer<typeof RequestReply>;

/** A standing rule that a request would make. */
export const ProposedRule = z.object({ scope: RuleScope, label: z.string() });
export type ProposedRule = z.infer<typeof ProposedRule>;

/** A request as it is stored. `reply` is undefined while it is open. */
export type PermissionRequest = z.infer<typeof StoredRequest> & {
  readonly rule: ProposedRule | undefined;
  readonly reply: RequestReply | undefined;
};

type Row = { request: string; rule: string | null; reply: string | null };

/** The `permission_request` table of one run. All writes are in the caller's transaction. */
export class RequestStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(request: PermissionRequest): void {
    const { rule, reply, ...stored } = request;
    this.#sql.exec(
      "INSERT INTO permission_request (request_id, request, rule, reply) VALUES (?, ?, ?, ?)",
      stored.requestId,
      JSON.stringify(stored),
      rule === undefined ? null : JSON.stringify(rule),
      reply === undefined ? null : JSON.stringify(reply),
    );
  }

  find(requestId: RequestId): PermissionRequest | undefined {
    const [row] = this.#sql.exec<Row>("SELECT * FROM permission_request WHERE request_id = ?", requestId);
    return row && requestOf(row);
  }

  /** The request about a call: no call is asked for twice. */
  findForCall(toolCallId: string): PermissionRequest | undefined {
    const [row] = this.#sql.exec<Row>(
      "SELECT * FROM permission_request WHERE json_extract(request, '$.toolCallId') = ?",
      toolCallId,
    );
    return row && requestOf(row);
  }

  /** How many calls of a tool standing rules have answered for. */
  countByRule(tool: string): number {
    const [row] = this.#sql.exec<{ count: number }>(
      `SELECT COUNT(*) AS count FROM permission_request
       WHERE json_extract(reply, '$.by') = 'rule' AND json_extract(request, '$.tool') = ?`,
      tool,
    );
    return row?.count ?? 0;
  }

  findOpen(): PermissionRequest | undefined {
    const [row] = this.#sql.exec<Row>("SELECT * FROM permission_request WHERE reply IS NULL");
    return row && requestOf(row);
  }

  /** What was asked and answered about the run's budget. `isRefused`: somebody said no, or nobody answered. */
  budget(): { readonly asked: number; readonly allowed: number; readonly isRefused: boolean } {
    const rows = this.#sql.exec<{ decision: string | null }>(
      `SELECT reply ->> '$.decision' AS decision FROM permission_request
       WHERE request ->> '$.subject.type' = 'budget'`,
    );
    const decisions = [...rows].map(({ decision }) => decision);
    const allowed = decisions.filter((decision) => decision === "allow_once").length;
    const isRefused = decisions.some((decision) => decision !== null && decision !== "allow_once");
    return { asked: decisions.length, allowed, isRefused };
  }

  close(requestId: RequestId, reply: RequestReply): void {
    this.#sql.exec("UPDATE permission_request SET reply = ? WHERE request_id = ?", JSON.stringify(reply), requestId);
  }
}

const requestOf = (row: Row): PermissionRequest => ({
  ...StoredRequest.parse(JSON.parse(row.request)),
  rule: row.rule === null ? undefined : ProposedRule.parse(JSON.parse(row.rule)),
  reply: row.reply === null ? undefined : RequestReply.parse(JSON.parse(row.reply)),
});
