/** Going back, or branching, to before the turn for which the conversation was shortened: what was left out for it is sent again. */
import { expect, it } from "vitest";
import { z } from "zod";
import { whereItDiffers } from "../../support/append-only.ts";
import { think } from "../../support/model-script.ts";
import { promptTooLong } from "../../support/model-troubles.ts";
import { type Body, chat, messagesOf } from "../../support/workerd/chat.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";

const Runs = z.object({ runs: z.array(z.object({ runId: z.string() })) });

const Forked = z.object({ threadId: z.string() });

const LONG = "Many words. ".repeat(3_000);

/** A chat of five turns, whose third one is found too long and leaves out both before it. */
const shortened = async () => {
  const talk = await chat([
    ...[think("a", "One."), think("b", "Two."), promptTooLong(), think("c", "Three."), think("d", "Four.")],
    ...[think("e", "Five."), think("f", "Other."), think("g", "Last.")],
  ]);
  const { person, model } = talk;
  await talk.turns(`First ${LONG}`, `Second ${LONG}`, "Third words", "Fourth words", "Fifth words");
  const path = person.threadPath(talk.thread);
  return {
    ...talk,
    /** Goes back to before the nth run, from 1, or branches there. Returns the thread in which it goes on. */
    lead: async (how: "rewind" | "fork", nth: number): Promise<string> => {
      const { runs } = Runs.parse((await person.ask("GET", `${path}/runs`)).body);
      const { body } = await person.ask("POST", `${path}/${how}`, { beforeRunId: runs[nth - 1]?.runId });
      return Forked.safeParse(body).data?.threadId ?? talk.thread;
    },
    turnIn: async (threadId: string, text: string) =>
      expectWhole(await person.runToEnd(threadId, model.prompt(text)), "completed"),
  };
};

/** Which of these words a request says. */
const saidIn = (call: Body | undefined): string[] => {
  const sent = JSON.stringify(messagesOf(call));
  return ["First Many", "Second Many", "Third words", "Fifth words", "are left out here"].filter((words) =>
    sent.includes(words),
  );
};

it.for(["rewind", "fork"] as const)("after a %s the next turn is sent what stood before that turn", async (how) => {
  const talk = await shortened();
  const thread = await talk.lead(how, 3);
  await talk.turnIn(thread, "Other words");
  await talk.turnIn(thread, "Last words");
  const [, second, , short, , , other, last] = await talk.calls();
  expect(saidIn(short)).toEqual(["Third words", "are left out here"]);
  expect(saidIn(other)).toEqual(["First Many", "Second Many"]);
  expect(whereItDiffers(second ?? {}, other ?? {})).toBeUndefined();
  expect(whereItDiffers(other ?? {}, last ?? {})).toBeUndefined();
  expect(await talk.model.violations()).toEqual([]);
});

it.for(["rewind", "fork"] as const)("after a %s to behind that turn the cut stays", async (how) => {
  const talk = await shortened();
  const thread = await talk.lead(how, 5);
  await talk.turnIn(thread, "Other words");
  const [, , , , fourth, , other] = await talk.calls();
  expect(saidIn(other)).toEqual(["Third words", "are left out here"]);
  expect(whereItDiffers(fourth ?? {}, other ?? {})).toBeUndefined();
  expect(await talk.model.violations()).toEqual([]);
});

it("what an earlier release has cut, which does not say for which turn, is sent again", async () => {
  const talk = await shortened();
  await talk.inSession((sql) => sql.exec("UPDATE facts SET body = json_remove(body, '$.cut.by')"));
  await talk.turnIn(await talk.lead("rewind", 5), "Other words");
  // Thinking of the turns behind the cut no longer fits, and may be dropped.
  expect(saidIn((await talk.calls()).at(-1))).toEqual(["First Many", "Second Many", "Third words"]);
  expect(await talk.model.violations()).toEqual([]);
});
