/**
 * The stored facts about the provider's models, as JSON that others parse. A turn start reads the facts about its model in its own batch
 * (`start/start-conditions.ts`).
 */
import { sql } from "drizzle-orm";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import { modelFacts } from "./turn-tables.ts";

/** Facts by model id, and when they were fetched; `-Infinity` when there are none. */
export type StoredFacts = { readonly facts: ReadonlyMap<string, string>; readonly fetchedAtMs: number };

export const loadModelFacts = async (db: Db): Promise<StoredFacts> => {
  const rows = await withTurnTables(db, () => db.select().from(modelFacts));
  return {
    facts: new Map(rows.map(({ id, facts }) => [id, facts])),
    fetchedAtMs: Math.max(...rows.map(({ fetchedAtMs }) => fetchedAtMs)),
  };
};

/** How long ago the facts were fetched, in ms; `Infinity` when there are none. */
export const modelFactsAgeMs = async (db: Db, nowMs: number): Promise<number> => {
  const [row] = await withTurnTables(db, () =>
    db.select({ newest: sql<number | null>`max(${modelFacts.fetchedAtMs})` }).from(modelFacts),
  );
  return nowMs - (row?.newest ?? -Infinity);
};

/** Replaces all stored facts with these. */
export const saveModelFacts = async (
  db: Db,
  facts: readonly { readonly id: string }[],
  nowMs: number,
): Promise<void> => {
  const { $client: d1 } = db;
  const statements = [
    d1
      .prepare(
        `INSERT OR REPLACE INTO model_facts (id, facts, fetched_at_ms)
         SELECT value ->> '$.id', value, ?2 FROM json_each(?1)`,
      )
      .bind(JSON.stringify(facts), nowMs),
    d1.prepare("DELETE FROM model_facts WHERE fetched_at_ms <> ?").bind(nowMs),
  ];
  await withTurnTables(db, () => d1.batch(statements));
};
