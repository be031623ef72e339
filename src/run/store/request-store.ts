/** What a run asks its person: permissions, plans and questions, and how each was answered. At most one is open. */
import type { RequestId } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { ObjectTables, Tables } from "../../objects/object-tables.ts";
import { CALL_TABLES } from "./run-schema.ts";
import {
  isQuestion,
  type PermissionRequest,
  type PersonReply,
  type PersonRequest,
  ProposedRule,
  type QuestionRequest,
  StoredReply,
  StoredRequest,
} from "./stored-request.ts";

/** Most runs never create this table. */
const TABLE = "permission_request";

/** Created when a log-in first says something in words, or allows an edit. Never created on this machine, where no code is ever asked for. */
const SPEAKERS: Tables = {
  names: ["speaker"],
  schema: "CREATE TABLE IF NOT EXISTS speaker (login_id TEXT PRIMARY KEY) STRICT;",
};

type Row = { request: string; rule: string | null; reply: string | null };

/** The `permission_request` table of one run. All writes are in the caller's transaction. */
export class RequestStore {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  add(request: PersonRequest): void {
    const { rule, reply, ...stored } = { rule: undefined, ...request };
    this.#tables.make(CALL_TABLES);
    this.#tables.sql.exec(
      "INSERT INTO permission_request (request_id, request, rule, reply) VALUES (?, ?, ?, ?)",
      stored.requestId,
      JSON.stringify(stored),
      rule === undefined ? null : JSON.stringify(rule),
      reply === undefined ? null : JSON.stringify(reply),
    );
  }

  /** A request for a permission or about a plan. */
  find(requestId: RequestId): PermissionRequest | undefined {
    return permissionOnly(this.#find("request_id = ?", requestId));
  }

  findQuestion(requestId: RequestId): QuestionRequest | undefined {
    const found = this.#find("request_id = ?", requestId);
    return found !== undefined && isQuestion(found) ? found : undefined;
  }

  /** The request for a call's permission: there is at most one for each. */
  findForCall(toolCallId: string): PermissionRequest | undefined {
    return permissionOnly(this.#find("json_extract(request, '$.toolCallId') = ?", toolCallId));
  }

  /** How many calls of a tool were answered by standing rules. */
  countByRule(tool: string): number {
    if (!this.#tables.has(TABLE)) return 0;
    const [row] = this.#tables.sql.exec<{ count: number }>(
      `SELECT COUNT(*) AS count FROM permission_request
       WHERE json_extract(reply, '$.by') = 'rule' AND json_extract(request, '$.tool') = ?`,
      tool,
    );
    return row?.count ?? 0;
  }

  findOpen(): PersonRequest | undefined {
    return this.#find("reply IS NULL");
  }

  /** Whether a person has accepted a plan. */
  hasAcceptedPlan(): boolean {
    if (!this.#tables.has(TABLE)) return false;
    const [row] = this.#tables.sql.exec(
      `SELECT 1 FROM permission_request
       WHERE request ->> '$.subject.type' = 'plan' AND reply ->> '$.decision' = 'allow_once' LIMIT 1`,
    );
    return row !== undefined;
  }

  /** Records a log-in that has said something to the run in words, or allowed an edit. Does nothing without one, as on this machine. */
  addSpeaker(loginId: string | undefined): void {
    if (loginId === undefined) return;
    this.#tables.make(SPEAKERS);
    this.#tables.sql.exec("INSERT OR IGNORE INTO speaker (login_id) VALUES (?)", loginId);
  }

  /** The log-ins that have said something to the run. `sender`: the one that sent its prompt, undefined on this machine. */
  speakers(sender: string | undefined): string[] {
    const first = sender === undefined ? [] : [sender];
    if (!this.#tables.has("speaker")) return first;
    const rows = this.#tables.sql.exec<{ login_id: string }>("SELECT login_id FROM speaker");
    return [...first, ...[...rows].map((row) => row.login_id)];
  }

  /** What was asked and answered about the run's budget. `isRefused`: a person refused, or nobody answered. */
  budget(): { readonly asked: number; readonly allowed: number; readonly isRefused: boolean } {
    if (!this.#tables.has(TABLE)) return { asked: 0, allowed: 0, isRefused: false };
    const rows = this.#tables.sql.exec<{ decision: string | null }>(
      `SELECT reply ->> '$.decision' AS decision FROM permission_request
       WHERE request ->> '$.subject.type' = 'budget'`,
    );
    const decisions = [...rows].map(({ decision }) => decision);
    const allowed = decisions.filter((decision) => decision === "allow_once").length;
    const isRefused = decisions.some((decision) => decision !== null && decision !== "allow_once");
    return { asked: decisions.length, allowed, isRefused };
  }

  /** How many requests have expired since a person or a rule last decided one, and whether any was ever decided like that. */
  unanswered(): { readonly expiredInARow: number; readonly wasAnswered: boolean } {
    if (!this.#tables.has(TABLE)) return { expiredInARow: 0, wasAnswered: false };
    const rows = this.#tables.sql.exec<{ by: string | null; decision: string | null }>(
      `SELECT reply ->> '$.by' AS by, reply ->> '$.decision' AS decision FROM permission_request
       ORDER BY request ->> '$.expiresAt'`,
    );
    const replies = [...rows];
    const lastAnswer = replies.findLastIndex(({ by }) => by === "user" || by === "rule");
    const expired = replies.slice(lastAnswer + 1).filter(({ decision }) => decision === "expired");
    return { expiredInARow: expired.length, wasAnswered: lastAnswer >= 0 };
  }

  close(requestId: RequestId, reply: PersonReply): void {
    this.#tables.sql.exec(
      "UPDATE permission_request SET reply = ? WHERE request_id = ?",
      JSON.stringify(reply),
      requestId,
    );
  }

  #find(which: string, ...values: readonly string[]): PersonRequest | undefined {
    if (!this.#tables.has(TABLE)) return undefined;
    const [row] = this.#tables.sql.exec<Row>(`SELECT * FROM permission_request WHERE ${which}`, ...values);
    return row && requestOf(row);
  }
}

const permissionOnly = (found: PersonRequest | undefined): PermissionRequest | undefined =>
  found === undefined || isQuestion(found) ? undefined : found;

const requestOf = (row: Row): PersonRequest => {
  const stored = StoredRequest.parse(parseJson(row.request));
  const reply = row.reply === null ? null : { json: parseJson(row.reply) };
  if ("questions" in stored) return { ...stored, reply: StoredReply.question.optional().parse(reply?.json) };
  return {
    ...stored,
    rule: row.rule === null ? undefined : ProposedRule.parse(parseJson(row.rule)),
    reply: StoredReply.permission.optional().parse(reply?.json),
  };
};
