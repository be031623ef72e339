/** Sends what the outbox holds: the turn to its session, the end to D1, new rules to the thread, notices to the person. */
import * as z from "zod";
import { dayOf } from "../../contract/day.ts";
import { budgetHash } from "../../contract/digest.ts";
import { RequestId } from "../../contract/ids.ts";
import { log } from "../../contract/log.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { CostUsd } from "../../contract/run.ts";
import type { DayCost } from "../../db/day-costs.ts";
import { openDb } from "../../db/db.ts";
import { markRunEnded } from "../../db/runs.ts";
import { reportScheduledEnd } from "../../db/schedules/due-schedules.ts";
import type { Env } from "../../env.ts";
import { loadHarness } from "../../harness/registry.ts";
import { costOf, sumCosts } from "../../model/token-prices.ts";
import { tellSchedulePaused } from "../../notice/tell.ts";
import type { FinishedTurn } from "../../session/session-wire.ts";
import { loadDriving } from "../load-driving.ts";
import { queueSessionOf, TITLE } from "../run-spec.ts";
import { type EndedState, isEnded, modelOf } from "../run-state.ts";
import { sendNotice } from "../send-notice.ts";
import type { Ledger } from "../store/ledger.ts";
import { LISTS, NOTICE, type OutboxRow } from "../store/outbox.ts";
import { ProposedRule } from "../store/stored-request.ts";
import { feedSearch } from "./feed-search.ts";

/**
 * The cost so far, under the day of `atMs`. Undefined when it is zero or unknown, and for runs that were started while no day budget was
 * set: these cost no row in D1.
 */
export const dayCostOf = async (ledger: Ledger, atMs: number): Promise<DayCost | undefined> => {
  const { spec, state } = ledger.record();
  if (spec.dayLeftUsd === undefined) return undefined;
  const costUsd = ownCost(ledger, modelOf(state));
  if (costUsd === null || costUsd === "0") return undefined;
  return { id: spec.runId, ownerHash: await budgetHash(spec.ownerEmail), day: dayOf(atMs), costUsd };
};

/** Includes a message that still streams, by the usage reported so far. A summary by hand is not included: it has a cost row of its own. */
const ownCost = (ledger: Ledger, model: string | undefined): CostUsd | null => {
  const call = ledger.checkpoints.findOpenMessage()?.call;
  const open = call === undefined ? [] : [costOf(call.model ?? model ?? "", call)];
  return sumCosts([ledger.spending.ownCostUsd(model), ...open]);
};

const RulePayload = ProposedRule.extend({ createdAtMs: z.int() });

/** Delivers one row. Rejects when its receiver did not answer; the row is then kept. */
export const sendRow = async (row: OutboxRow, ledger: Ledger, env: Env): Promise<void> => {
  const { spec, state } = ledger.record();
  if (row.receiver.startsWith(NOTICE)) return await sendNotice(row.receiver, ledger, env);
  const session = env.SESSIONS.getByName(spec.sessionId);
  const queue = env.SESSIONS.getByName(queueSessionOf(spec));
  if (row.receiver === "session") {
    const ended = isEnded(state) ? state : undefined;
    const turn = ended?.started && (await turnOf(ledger, ended.started.model, ended));
    const speakers = ledger.requests.speakers(spec.loginId);
    const isTaken = await session.finish(spec.runId, ended?.started?.grant, turn, speakers);
    // Only once the turn is kept, because this lets the next run start.
    if (spec.queueSessionId !== undefined) await queue.finish(spec.runId, ended?.started?.grant, undefined, speakers);
    if (!isTaken) log.warn("Old grant: turn not kept.", { runId: spec.runId });
  } else if (row.receiver === LISTS) {
    if (isEnded(state)) await markRunEnded(openDb(env.DB), spec.runId, state, await dayCostOf(ledger, state.endedAtMs));
    // Sent with D1's copy: an outbox row of its own would be two more writes per run.
    const kept = isEnded(state) && state.started ? await turnOf(ledger, state.started.model, state) : undefined;
    await feedSearch(env, spec, kept);
    // Comes last: if this row were sent again once another run of the schedule has reported, it would count twice.
    if (spec.scheduleId !== undefined) {
      const { scheduleId, runId } = spec;
      const end = { scheduleId, runId, ...ledger.requests.unanswered() };
      if (await reportScheduledEnd(openDb(env.DB), end)) await tellSchedulePaused(env, { ...spec, scheduleId });
    }
    if (isEnded(state)) keptTurns.delete(state);
  } else if (row.receiver === TITLE) {
    // The title's cost is stored beside the run's, which has to be recorded first.
    if (ledger.outbox.has(LISTS)) throw new Error("The run's end is not recorded yet.");
    if (isEnded(state) && state.started) {
      const kept = await turnOf(ledger, state.started.model, state);
      await (await loadDriving()).askForTitle(env, spec, state, kept);
    }
  } else {
    const rule = RulePayload.parse(parseJson(row.payload));
    const { workspaceDir } = spec;
    await queue.addRule({ ruleId: RequestId.parse(row.receiver.slice("rule:".length)), ...rule, workspaceDir });
  }
};

/** Turns made for the session's row, and kept for D1's copy, which comes next: making one reads the whole run. */
const keptTurns = new WeakMap<EndedState, FinishedTurn>();

/** The turn as its harness wants it kept. */
const turnOf = async (ledger: Ledger, model: string, ended: EndedState): Promise<FinishedTurn> => {
  const known = keptTurns.get(ended);
  if (known !== undefined) return known;
  const { runId, harness } = ledger.record().spec;
  const adapter = await loadHarness(harness);
  // All that is read of the run is read at one moment, after the await.
  const { state, told } = ledger.turnState.find() ?? { state: undefined, told: [] };
  const checkpoint = ledger.turn();
  const kept = { ...adapter.keepTurn({ runId, model, checkpoint, state, error: ended.error }), told };
  keptTurns.set(ended, kept);
  return kept;
};
