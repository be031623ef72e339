/** What a turn knows of the person's screen: found by its start, or asked for when it begins later (run.md, Driving). */
import { env } from "cloudflare:test";
import { expect, inject, it, onTestFinished } from "vitest";
import { z } from "zod";
import { aroundMethod } from "../../support/around-method.ts";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { type ScriptedModel, scriptModel } from "../../support/scripted-model.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const show = async (person: ReturnType<typeof somebody>, query: string) => {
  const screen = { view: "stocks", path: `/stocks?q=${query}`, filters: { q: query } };
  expect(await person.ask("POST", "/_framework/actions/set-navigation", screen)).toMatchObject({ status: 200 });
};

/** The newest screen that each request tells of. */
const screensTold = async (model: ScriptedModel) =>
  (await model.requests()).map((request) =>
    JSON.stringify(request)
      .match(/(?<=stocks\?q=)\w+/g)
      ?.at(-1),
  );

it("a turn that begins at once finds the screen with its start, and asks D1 for nothing else before the model", async () => {
  const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Done."))]);
  const person = somebody();
  await show(person, "apples");
  const asked: string[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (_, [, init], call) => {
    const { body } = z.object({ body: z.string() }).parse(init);
    if (body.includes(person.email)) asked.push(body);
    return call();
  });
  const { events } = await person.startTurn("t", model.prompt("What do I see?"));
  await model.reaches(1, "held");
  expect(asked).toEqual([expect.stringContaining("INSERT INTO runs ")]);
  await model.release();
  await person.follow(events);
  expect(await screensTold(model)).toEqual(["apples"]);
});

it("a turn that had to wait is told the screen of when it begins", async () => {
  const model = await scriptModel(inject("modelUrl"), [holdBefore(say("One.")), say("Two.")]);
  const person = somebody();
  await show(person, "apples");
  const first = await person.startTurn("t", model.prompt("First"));
  await model.reaches(1, "held");
  const second = await person.startTurn("t", model.prompt("Second"));
  await show(person, "pears");
  await model.release();
  await person.follow(first.events);
  await person.follow(second.events);
  expect(await screensTold(model)).toEqual(["apples", "pears"]);
});

it("a turn starts where no screen can be stored", async () => {
  const model = await scriptModel(inject("modelUrl"), [say("Done.")]);
  const person = somebody();
  await env.DB.exec("ALTER TABLE navigation RENAME TO moved_away");
  // The files that follow have the same database.
  onTestFinished(async () => void (await env.DB.exec("ALTER TABLE moved_away RENAME TO navigation")));
  const { events } = await person.startTurn("t", model.prompt("Hello"));
  expect((await person.events(events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  expect(JSON.stringify(await model.requests())).toContain("The person's screen is not known.");
});
