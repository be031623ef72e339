/** Sends what the outbox holds: the turn to its session, the end to D1, new rules to the thread. */
import * as z from "zod";
import { RequestId } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { markRunEnded } from "../db/runs.ts";
import type { Env } from "../env.ts";
import { tokensOf } from "../harness/compaction.ts";
import { withContext } from "../harness/conversation.ts";
import { omittedLine } from "../harness/omitted-turn.ts";
import { repairTurn } from "../harness/repair-turn.ts";
import { toolResultMessage } from "../harness/tool-results.ts";
import type { EndedTurn } from "../session/session-wire.ts";
import { dayCostOf } from "./day-cost.ts";
import type { Ledger } from "./ledger.ts";
import type { OutboxRow } from "./outbox.ts";
import { ProposedRule } from "./request-store.ts";
import { type EndedState, isEnded } from "./run-state.ts";

const RulePayload = ProposedRule.extend({ createdAtMs: z.int() });

/** Delivers one row. Rejects when its receiver did not answer; the row then stays. */
export const sendRow = async (row: OutboxRow, ledger: Ledger, env: Env): Promise<void> => {
  const { spec, state } = ledger.record();
  const session = env.SESSIONS.getByName(spec.sessionId);
  if (row.receiver === "session") {
    const ended = isEnded(state) ? state : undefined;
    const turn = ended?.started && turnOf(ledger, ended.started.model, ended);
    const isTaken = await session.finish(spec.runId, ended?.started?.grant, turn);
    if (!isTaken)
      console.warn(JSON.stringify({ level: "warn", message: "Old grant: turn not kept.", runId: spec.runId }));
  } else if (row.receiver === "index") {
    if (isEnded(state)) await markRunEnded(openDb(env.DB), spec.runId, state, await dayCostOf(ledger, state.endedAtMs));
  } else {
    const rule = RulePayload.parse(JSON.parse(row.payload));
    await session.addRule({ ruleId: RequestId.parse(row.receiver.slice("rule:".length)), ...rule });
  }
};

/** The turn as the conversation keeps it: whole and valid, whatever the run's end was. */
const turnOf = (ledger: Ledger, model: string, { stopReason, error }: EndedState): EndedTurn => {
  const { runId, prompt } = ledger.record().spec;
  const { messages, answer, lastUsage } = ledger.checkpoints.progress(prompt);
  const results = answer !== undefined && answer.calls.length > 0 ? [toolResultMessage(answer.calls)] : [];
  const state = ledger.turnState.find();
  const sent = state === undefined ? messages : withContext([...messages, ...results], state);
  // How much is too long was not found out: nothing shorter was taken.
  const isTooLong = error?.code === "context_too_long";
  const inputTokens = lastUsage === undefined ? state?.facts.inputTokens : tokensOf(lastUsage);
  return {
    turn: { runId, model, messages: repairTurn(state === undefined ? [...sent, ...results] : sent) },
    omitted: stopReason === "refusal" ? omittedLine(ledger.checkpoints.effects()) : undefined,
    facts: state && JSON.stringify({ ...state.facts, ...(isTooLong ? { maxBytes: null } : {}), inputTokens }),
    told: state?.told ?? [],
  };
};
