/** What a turn's start asks of two objects that are new: each statement is compiled there for the first time. */
import { env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { aroundMethod } from "../../support/around-method.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** In each object: which tables there are, making them, the first rows. A session has two of these. */
const MOST_CALLS = { run: 3, session: 4 };

/** Statements that make tables, in both objects together. */
const MOST_TABLES = 8;

it("a start makes no table that it does not write to, and looks at nothing twice", async ({ expect }) => {
  const person = somebody();
  const model = await scriptModel(inject("modelUrl"), [say("Done.")]);
  // By object: others of earlier tests may wake meanwhile, and start a turn of their own.
  const askedOf = new Map<object, { sql: string; values: readonly unknown[] }[]>();
  await runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), (_, { storage }) => {
    aroundMethod(Object.getPrototypeOf(storage.sql), "exec", (object, [sql, ...values], call) => {
      askedOf.set(object, [...(askedOf.get(object) ?? []), { sql: String(sql), values }]);
      return call();
    });
  });
  const turn = await person.startTurn("t", model.prompt("Go"));
  const isFirstRow = ({ sql, values }: { sql: string; values: readonly unknown[] }): boolean =>
    /INTO (run|queue) /.test(sql) && (values.includes(person.email) || values.includes(turn.runId));
  const byStart = [...askedOf.values()].flatMap((asked) =>
    asked.slice(0, asked.findLastIndex(isFirstRow) + 1).map(({ sql }) => sql),
  );
  expect(byStart.filter((sql) => /INTO (run|queue) /.test(sql))).toHaveLength(2);
  expect(byStart.flatMap((sql) => sql.match(/CREATE (TABLE|VIEW)/g) ?? []).length).toBeLessThanOrEqual(MOST_TABLES);
  expect(byStart.length).toBeLessThanOrEqual(MOST_CALLS.run + MOST_CALLS.session);
  await person.follow(turn.events);
});
