/** Going back in a chat while D1 cannot be told which runs are replaced: the session has it, and tells the lists later (decision 0138). */
import { env, runDurableObjectAlarm } from "cloudflare:test";
import { it, onTestFinished } from "vitest";
import { z } from "zod";
import { aroundMethod } from "../../support/around-method.ts";
import { say } from "../../support/model-script.ts";
import { chat } from "../../support/workerd/chat.ts";
import { holdTimers } from "../../support/workerd/held-timers.ts";

const OK = { status: 200, body: { ok: true } };

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string(), replaced: z.boolean().optional() })) });

/** A chat that has had two turns. */
const twoTurns = async () => {
  const talk = await chat([say("One."), say("Two.")]);
  await talk.turns("First words", "Second words");
  await talk.handedOver();
  const { person, thread } = talk;
  const path = person.threadPath(thread);
  const runs = async () => Runs.parse((await person.ask("GET", `${path}/runs`)).body).runs;
  return {
    ...talk,
    /** Goes back to before the second one. */
    rewind: async () => await person.ask("POST", `${path}/rewind`, { beforeRunId: (await runs())[1]?.runId }),
    replaced: async () => (await runs()).map(({ replaced }) => replaced),
  };
};

/** How D1 answers the marks from now on, until what is returned is called. */
const marks = (answer: () => Promise<unknown>) => {
  let isAway = true;
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (_, args, call) =>
    isAway && JSON.stringify(args[1]).includes("INSERT INTO run_marks") ? answer() : call(),
  );
  return () => {
    isAway = false;
  };
};

it("a D1 that refuses the marks changes nothing about it: the list follows by the session's alarm", async ({
  expect,
}) => {
  const talk = await twoTurns();
  const comeBack = marks(() => Promise.reject(new Error("D1 is away.")));
  expect(await talk.rewind()).toEqual(OK);
  expect(await talk.replaced()).toEqual([undefined, undefined]);
  comeBack();
  await runDurableObjectAlarm(env.SESSIONS.getByName(await talk.sessionId()));
  expect(await talk.replaced()).toEqual([undefined, true]);
});

it("a D1 that never answers holds up neither that nor the alarm", async ({ expect }) => {
  const talk = await twoTurns();
  const session = env.SESSIONS.getByName(await talk.sessionId());
  const timers = holdTimers(10_000);
  const { promise: silence, resolve: endSilence } = Promise.withResolvers<void>();
  onTestFinished(() => endSilence());
  marks(() => silence);
  /** Lets the limit run out inside the object until this is over. */
  const outlast = async (work: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    await expect.poll(async () => [await timers.ring(session), isOver].at(-1)).toBe(true);
  };
  const going = talk.rewind();
  await outlast(going);
  expect(await going).toEqual(OK);
  await outlast(runDurableObjectAlarm(session));
});
