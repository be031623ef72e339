/** Keeps a turn's state: the session is told first what it must know, then the run reports it in its transcript. */
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import { Usage } from "../../contract/run.ts";
import { TranscriptEvent } from "../../contract/transcript.ts";
import type { Env } from "../../env.ts";
import type { HarnessAdapter } from "../../harness/adapter.ts";
import { Superseded } from "../../harness/journal.ts";
import type { HarnessState, TurnKeeper } from "../../harness/turn.ts";
import { reach } from "../../objects/reach.ts";
import { compactionReport, DroppedCall, type Report } from "../../session/report.ts";
import { isLive, modelOf } from "../run-state.ts";
import type { Ledger } from "../store/ledger.ts";

/** An earlier release could store less than 0. */
const Tokens = z.int().nonnegative().catch(0);

/** The model that wrote a summary, if the event reports a summary, and the tokens before and after it. */
const Priced = z.looseObject({ model: z.string().exactOptional(), tokensBefore: Tokens, tokensAfter: Tokens });

/** Books a model call whose result was not used as part of what the run cost, and returns its events. In the caller's transaction. */
const dropped = (ledger: Ledger, { model, usage, isByHand }: Omit<DroppedCall, "type">): TranscriptEvent[] => {
  const messageId = crypto.randomUUID();
  ledger.spending.add(isByHand ? "by hand" : "discard", usage, model || (modelOf(ledger.record().state) ?? ""));
  return [
    { type: "message_start", messageId, step: ledger.checkpoints.steps() + 1 },
    { type: "message_discard", messageId, reason: "retry", usage },
  ];
};

/** What is known of a summary that the session never stored, although it was paid for. */
const UnkeptSummary = z.looseObject({ model: z.string(), usage: Usage });

/**
 * Returns the events of those reports that this run has not made yet, and saves that it has made them, with the turn's state after
 * them. The run that reports a summary pays for it. In the caller's transaction.
 */
export const reportAll = (
  ledger: Ledger,
  harness: Pick<HarnessAdapter, "afterEvent">,
  reports: readonly Report[],
  state: HarnessState,
): TranscriptEvent[] => {
  const before = ledger.turnState.find();
  const told = before?.told ?? [];
  const unkept = before?.unkept ?? null;
  const fresh = reports.filter(({ id }) => !told.includes(id));
  const steps = fresh.length > 0 ? ledger.checkpoints.steps() : 0;
  let after = state;
  const isLost = unkept !== null && !fresh.some(({ event }) => event === unkept);
  const lost = isLost ? dropped(ledger, { ...UnkeptSummary.parse(parseJson(unkept)), isByHand: false }) : [];
  const events = fresh.flatMap(({ event: json }) => {
    const raw = Priced.parse(parseJson(json));
    const call = DroppedCall.safeParse(raw);
    if (call.success) return dropped(ledger, call.data);
    const event = TranscriptEvent.parse(raw);
    if (event.type === "context_compacted" || event.type === "context_reset") {
      // Applied by whichever attempt reports it: the one that caused it may have died.
      after = harness.afterEvent(after, event, steps);
    }
    if (event.type === "context_compacted") {
      const model = raw.model ?? modelOf(ledger.record().state) ?? "";
      ledger.spending.add(event.trigger === "manual" ? "by hand" : "compaction", event.usage, model);
    }
    return [event];
  });
  ledger.turnState.save(after, { told: [...told, ...fresh.map(({ id }) => id)], unkept: null });
  return [...lost, ...events];
};

/** The keeper for the current attempt. */
export const runKeeper = (env: Env, ledger: Ledger, harness: HarnessAdapter): TurnKeeper => {
  const { attempt } = ledger.record().attempts;
  const { runId, sessionId } = ledger.record().spec;
  const session = () => env.SESSIONS.getByName(sessionId);
  /** The grant of this attempt. @throws {Superseded} */
  const grant = (): number => {
    const record = ledger.runs.find();
    if (record === undefined || !isLive(record.state) || record.attempts.attempt !== attempt) throw new Superseded();
    return record.state.grant;
  };
  /** Idempotency key for the session: each change makes one more report, so that the next one has a new key. */
  const newKey = (): string => `${runId}:${ledger.turnState.find()?.told.length ?? 0}`;
  const told = (report: Report | undefined, state: HarnessState): HarnessState => {
    if (report === undefined) throw new Superseded();
    grant();
    ledger.commit(() => reportAll(ledger, harness, [report], state));
    return ledger.turnState.find()?.state ?? state;
  };
  return {
    save: async (state) => {
      grant();
      ledger.commit(() => {
        ledger.turnState.save(state);
        return [];
      });
    },
    saveCompaction: async (compaction, state) => {
      const held = grant();
      const key = newKey();
      // Noted before the session stores the summary: a later attempt sees from the session's reports whether it was stored.
      ledger.commit(() => {
        ledger.turnState.save(ledger.turnState.find()?.state ?? state, { unkept: compactionReport(compaction) });
        return [];
      });
      return told(await reach(async () => await session().saveCompaction(runId, held, key, compaction)), state);
    },
    startEpoch: async (turns, reason, state) => {
      const held = grant();
      const key = newKey();
      return told(await reach(async () => await session().startEpoch(runId, held, key, turns, reason)), state);
    },
  };
};
