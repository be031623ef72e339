/** A thread's title: made by the model once, after the first turn; never over a person's own, and never in the way of anything. */
import { env } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ASK_LIMIT_MS } from "../../../src/run/drive/ask-for-title.ts";
import { refuse, say, toTitle } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore, overloaded } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { watchTimers } from "../../support/watch-timers.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { insertLostStart } from "../../support/workerd/lost-start.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import worker from "../../support/workerd/test-worker.ts";

const Runs = z.object({ runs: z.array(z.object({ costUsd: z.string().nullable() })) });
const Listed = z.object({ threads: z.array(z.object({ title: z.string(), costUsd: z.string().nullable() })) });

/** What a request for a title begins with, and a system prompt of a turn does not. */
const ASKS = /^Write a title for a chat\./;

/** A new person in one thread, with titles on. */
const titled = async (replies: readonly Reply[], variables: Readonly<Record<string, string>> = {}) => {
  const person = somebody();
  const model = await scriptModel(inject("modelUrl"), replies);
  const { cookies } = await signIn(person.email, "http://localhost");
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const turn = async (text: string, key?: string) => {
    const body = JSON.stringify({ threadId: "t", prompt: model.prompt(text) });
    const headers = { cookie, "content-type": "application/json", ...(key && { "idempotency-key": key }) };
    const url = "http://localhost/api/agent/turn";
    const posted = worker.request(url, { method: "POST", headers, body }, { ...env, AGENT_TITLES: "", ...variables });
    const started = z.object({ runId: z.string(), events: z.string() }).parse((await answerOf(await posted)).body);
    await person.follow(started.events);
    return started.runId;
  };
  const thread = async () => Listed.parse((await person.ask("GET", "/_framework/threads")).body).threads[0];
  const bodies = async () => (await model.requests()).map(({ body }) => body);
  const isAsking = (body: Readonly<Record<string, unknown>>) => ASKS.test(String(Object(body.system)[0]?.text));
  return {
    ...{ person, model, turn, bodies },
    title: async () => (await thread())?.title,
    costUsd: async () => (await thread())?.costUsd,
    runCosts: async () =>
      Runs.parse((await person.ask("GET", `${person.threadPath("t")}/runs`)).body).runs.map((run) => run.costUsd),
    asked: async () => (await bodies()).filter(isAsking),
  };
};

const ANSWER = say("Two targets were hit.", { usage: { input: 1_000, output: 0 } });

it("is asked for without tools once the first turn is over, and costs what it costs", async () => {
  const title = toTitle(say('"Hit targets."\n', { usage: { input: 1_000, output: 0 } }));
  const chat = await titled([ANSWER, title, say("Again.")]);
  await chat.turn("Which targets were hit?");
  await expect.poll(chat.title).toBe("Hit targets");
  expect(await chat.costUsd()).toBe("0.004");
  // The run's own stays what its end said.
  expect(await chat.runCosts()).toEqual(["0.002"]);
  const [asked] = await chat.asked();
  expect(asked).toMatchObject({ stream: true, messages: [{ role: "user" }] });
  expect(asked).not.toHaveProperty("tools");
  expect(JSON.stringify(asked)).toContain("Two targets were hit.");
  await chat.turn("And now?");
  expect(await chat.asked()).toHaveLength(1);
  expect(await chat.model.violations()).toEqual([]);
});

it("leaves no time limit behind, which would keep the run in memory once it has ended", async () => {
  const chat = await titled([ANSWER, toTitle(say("Hit targets"))]);
  const timers = watchTimers();
  await chat.turn("Which targets were hit?");
  await expect.poll(chat.title).toBe("Hit targets");
  expect([timers.set(ASK_LIMIT_MS) > 0, timers.left(ASK_LIMIT_MS)]).toEqual([true, 0]);
});

it("is asked for after a first turn too whose start died on its way", async () => {
  const chat = await titled([ANSWER, toTitle(say("Hit targets"))]);
  await insertLostStart(chat.person.email, "t", chat.model.prompt("Which targets were hit?"));
  await chat.turn("Which targets were hit?", "t");
  await expect.poll(chat.title).toBe("Hit targets");
});

it("never replaces a person's own, also one that came while the model was asked", async () => {
  const chat = await titled([ANSWER, toTitle(holdBefore(say("The model's")))]);
  const runId = await chat.turn("Hello");
  await expect.poll(async () => (await chat.asked()).length).toBe(1);
  await chat.person.ask("PATCH", chat.person.threadPath("t"), { title: "Mine" });
  await chat.model.release();
  await expect.poll(chat.costUsd).not.toBe("0.002");
  await chat.person.wake(runId);
  expect(await chat.title()).toBe("Mine");
});

describe("leaves the beginning of the prompt, and is asked for once,", () => {
  it.each([
    ["when the model fails", overloaded()],
    ["when it says nothing", say("  \n")],
    ["when it refuses", refuse("I cannot")],
    ["when its answer is cut", say("Half a", { stopReason: "max_tokens" })],
  ])("%s", async (_, reply) => {
    const chat = await titled([ANSWER, toTitle(reply), say("Again.")]);
    const runId = await chat.turn("Hello there");
    await expect.poll(async () => (await chat.asked()).length).toBe(1);
    await chat.person.wake(runId);
    await chat.turn("And again");
    expect(await chat.title()).toMatch(/^Hello there/);
    expect(await chat.asked()).toHaveLength(1);
  });
});

it.each(["off", "OFF", "false"])("is not asked for with AGENT_TITLES=%s", async (AGENT_TITLES) => {
  const chat = await titled([ANSWER], { AGENT_TITLES });
  await chat.person.wake(await chat.turn("Hello"));
  expect(await chat.bodies()).toHaveLength(1);
  expect(await chat.title()).toMatch(/^Hello/);
});
