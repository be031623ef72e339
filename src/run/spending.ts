/**
 * What a run's model calls used and cost: those that became messages, and those of which nothing is left but the bill. The
 * latter have a table of their own, which most runs never make.
 */
import * as z from "zod";
import { type CostUsd, Usage } from "../contract/run.ts";
import { costOf, sumCosts } from "../model/prices.ts";

/** A call as it is stored. Messages of earlier versions do not say which model was asked: it was the run's. */
const Call = Usage.extend({ model: z.string().exactOptional() });
export type Call = z.infer<typeof Call>;

/** A call as one column holds it. */
export const encodeCall = (usage: Usage, model: string): string => JSON.stringify({ ...usage, model });

/** Reads the column; undefined for one that is empty. */
export const decodeCall = (text: string | null): Call | undefined =>
  text === null ? undefined : Call.parse(JSON.parse(text));

const SPENT_TABLE = `
CREATE TABLE IF NOT EXISTS spent (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  call TEXT NOT NULL
) STRICT;
`;

/** The calls of one run. All writes are in the caller's transaction. */
export class Spending {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Adds a call that is no message of the run: a try that was dropped, or a summary of the conversation, `by hand` where a
   * person asked for it before the run. Belongs into the transaction of the event that tells of it, so that the run's cost is
   * the sum over its transcript.
   */
  add(kind: "discard" | "compaction" | "by hand", usage: Usage, model: string): void {
    this.#sql.exec(SPENT_TABLE);
    this.#sql.exec("INSERT INTO spent (kind, call) VALUES (?, ?)", kind, encodeCall(usage, model));
  }

  /** What all calls cost so far; null when a price is not known. `model` is the run's, undefined before its turn. */
  costUsd(model = ""): CostUsd | null {
    return sumCosts([...this.#messages(), ...this.#others()].map((call) => costOf(call.model ?? model, call)));
  }

  /** The same without summaries by hand, which the day's counters hold since they were made. */
  ownCostUsd(model = ""): CostUsd | null {
    const others = this.#others("kind <> 'by hand'");
    return sumCosts([...this.#messages(), ...others].map((call) => costOf(call.model ?? model, call)));
  }

  /** What the newest message cost, undefined before the first; null when its price is not known. */
  lastCostUsd(model: string): CostUsd | null | undefined {
    const last = this.#messages().at(-1);
    return last && costOf(last.model ?? model, last);
  }

  #messages(): Call[] {
    const rows = this.#sql.exec<{ usage: string }>("SELECT usage FROM message WHERE content IS NOT NULL ORDER BY step");
    return [...rows].map(({ usage }) => Call.parse(JSON.parse(usage)));
  }

  #others(which = "TRUE"): Call[] {
    const [table] = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'spent'");
    if (table === undefined) return [];
    const rows = this.#sql.exec<{ call: string }>(`SELECT call FROM spent WHERE ${which}`);
    return [...rows].map(({ call }) => Call.parse(JSON.parse(call)));
  }
}
