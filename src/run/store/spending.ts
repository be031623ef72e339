/** A run's spending on its model, as its object stores it. */
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import { type CostUsd, Usage } from "../../contract/run.ts";
import type { ClosedMessage } from "../../harness/turn.ts";
import { costOf, sumCosts } from "../../model/token-prices.ts";
import type { ObjectTables } from "../../objects/object-tables.ts";

/** A model call as it is stored. Earlier versions did not store which model was asked: it was the run's. */
const ModelCall = Usage.extend({
  model: z.string().exactOptional(),
  /** Estimated output tokens of a message that was cut before the provider said how many there were. */
  cutOutputTokens: z.int().exactOptional(),
});

export type ModelCall = z.infer<typeof ModelCall>;

/** A call's usage and model, as one column stores them. */
export const encodeCall = (usage: Usage, model: string, cutOutputTokens?: number): string =>
  JSON.stringify({ ...usage, model, ...(cutOutputTokens !== undefined && { cutOutputTokens }) });

/** UTF-8 bytes per token, chosen low, so that an estimate of tokens that nobody has counted is never too small. */
export const BYTES_PER_TOKEN = 3;

const NOT_BY_HAND = "kind <> 'by hand'";

const encoder = new TextEncoder();

/** Reads the column; undefined when it is empty. */
export const decodeCall = (text: string | null): ModelCall | undefined =>
  text === null ? undefined : ModelCall.parse(parseJson(text));

const SPENT_TABLES = {
  names: ["spent"],
  schema: `
CREATE TABLE IF NOT EXISTS spent (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  call TEXT NOT NULL
) STRICT;
`,
};

/**
 * What a run's model calls used and cost: those that became messages, and those that left only a bill. The latter have a table
 * of their own, which most runs never create. All writes are in the caller's transaction.
 */
export class Spending {
  readonly #tables: ObjectTables;
  /** UTF-8 bytes of the message that streams, as this instance has seen it. */
  #streamed = { messageId: "", bytes: 0 };

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /**
   * Adds a call that is not a message of the run: a discarded try or a summary of the conversation, `by hand` when a person
   * asked for it before the run. Belongs in the transaction of the event that reports it, so that the run's cost is the sum over
   * its transcript.
   */
  add(kind: "discard" | "compaction" | "by hand", usage: Usage, model: string): void {
    this.#tables.make(SPENT_TABLES);
    this.#tables.sql.exec("INSERT INTO spent (kind, call) VALUES (?, ?)", kind, encodeCall(usage, model));
  }

  /** Counts what a message streams, in memory. Only a message that is cut needs the count. */
  countOutput(messageId: string, text: string): void {
    if (this.#streamed.messageId !== messageId) this.#streamed = { messageId, bytes: 0 };
    this.#streamed.bytes += encoder.encode(text).byteLength;
  }

  /**
   * The estimated output tokens of a message that was cut: from what was counted while it streamed or, after a crash, at least from its
   * text. Undefined for a message that is whole.
   */
  cutOutput({ messageId, text, stopReason, isCut }: ClosedMessage): number | undefined {
    if (isCut !== true && stopReason !== "aborted" && stopReason !== "error") return undefined;
    const counted = this.#streamed.messageId === messageId ? this.#streamed.bytes : 0;
    return Math.ceil(Math.max(counted, encoder.encode(text).byteLength) / BYTES_PER_TOKEN);
  }

  /**
   * What all calls have cost so far, by the usage that the provider reported; null when a price is unknown. `model` is the run's,
   * undefined before its turn.
   */
  costUsd(model = ""): CostUsd | null {
    return this.#sum(model);
  }

  /** What counts towards the run's own budget: without summaries by hand, which were made before it. */
  runCostUsd(model: string): CostUsd | null {
    return this.#sum(model, NOT_BY_HAND);
  }

  /**
   * What counts towards the day's budgets: without summaries by hand, which were added to their counters when they were made, and with the
   * estimated output of messages that were stopped. The provider bills such output without saying how much it was. If it were left out,
   * stopping each answer shortly before its end would make it free.
   */
  ownCostUsd(model = ""): CostUsd | null {
    return this.#sum(model, NOT_BY_HAND, withCutOutput);
  }

  /** What the newest message cost: undefined before the first, null when its price is unknown. */
  lastCostUsd(model: string): CostUsd | null | undefined {
    const last = this.#messages().at(-1);
    return last && costOf(last.model ?? model, last);
  }

  #sum(model: string, which = "TRUE", usageOf = (call: ModelCall): Usage => call): CostUsd | null {
    const calls = [...this.#messages(), ...this.#others(which)];
    return sumCosts(calls.map((call) => costOf(call.model ?? model, usageOf(call))));
  }

  #messages(): ModelCall[] {
    const rows = this.#tables.sql.exec<{ usage: string }>(
      "SELECT usage FROM message WHERE content IS NOT NULL ORDER BY step",
    );
    return [...rows].map(({ usage }) => ModelCall.parse(parseJson(usage)));
  }

  #others(which: string): ModelCall[] {
    if (!this.#tables.has("spent")) return [];
    const rows = this.#tables.sql.exec<{ call: string }>(`SELECT call FROM spent WHERE ${which}`);
    return [...rows].map(({ call }) => ModelCall.parse(parseJson(call)));
  }
}

const withCutOutput = ({ cutOutputTokens = 0, ...call }: ModelCall): Usage => ({
  ...call,
  outputTokens: Math.max(call.outputTokens, cutOutputTokens),
});
