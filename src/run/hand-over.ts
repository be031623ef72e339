/** Sends what the outbox holds: the turn to its session, the end to D1, new rules to the thread. */
import { z } from "zod";
import { RequestId } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { markRunEnded } from "../db/runs.ts";
import type { Env } from "../env.ts";
import type { ConversationTurn } from "../harness/fit-conversation.ts";
import { repairTurn } from "../harness/repair-turn.ts";
import { toolResultMessage } from "../harness/tool-results.ts";
import type { Ledger } from "./ledger.ts";
import type { OutboxRow } from "./outbox.ts";
import { ProposedRule } from "./request-store.ts";
import { isEnded } from "./run-state.ts";

const RulePayload = ProposedRule.extend({ createdAtMs: z.int() });

/** Delivers one row. Rejects when its receiver did not answer; the row then stays. */
export const sendRow = async (row: OutboxRow, ledger: Ledger, env: Env): Promise<void> => {
  const { spec, state } = ledger.record();
  const session = env.SESSIONS.getByName(spec.sessionId);
  if (row.receiver === "session") {
    const started = isEnded(state) ? state.started : undefined;
    const isTaken = await session.finish(spec.runId, started?.grant, started && turnOf(ledger, started.model));
    if (!isTaken)
      console.warn(JSON.stringify({ level: "warn", message: "Old grant: turn not kept.", runId: spec.runId }));
  } else if (row.receiver === "index") {
    if (isEnded(state)) await markRunEnded(openDb(env.DB), spec.runId, state.status, state.endedAtMs);
  } else {
    const rule = RulePayload.parse(JSON.parse(row.payload));
    await session.addRule({ ruleId: RequestId.parse(row.receiver.slice("rule:".length)), ...rule });
  }
};

/** The turn as the conversation keeps it: whole and valid, whatever the run's end was. */
const turnOf = (ledger: Ledger, model: string): ConversationTurn => {
  const { messages, answer } = ledger.checkpoints.progress(ledger.record().spec.prompt);
  const results = answer !== undefined && answer.calls.length > 0 ? [toolResultMessage(answer.calls)] : [];
  return { model, messages: repairTurn([...messages, ...results]) };
};
