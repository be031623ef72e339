/** The day's hard budgets, and the operator's other switch: what starts, what is refused, and what a run may still spend (api.md §7). */
import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { ownerHash } from "../../../src/contract/digest.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTools, noSummary, say, summary } from "../../support/model-script.ts";
import {
  closeBlock,
  closeMessage,
  openMessage,
  openText,
  textDelta,
} from "../../support/model-server/message-frames.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdAfterCall, holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import worker from "../../support/workerd/test-worker.ts";

/** For what a run does after its death, on a machine that has more to do. */
const PATIENT = { timeout: 10_000 };

/** Tokens of three cents. */
const DEAR = { usage: { input: 15_000, output: 0 } };

const dearCall = (): Reply => callTools([{ name: "list-stocks", input: {} }], DEAR);

type Variables = Readonly<Record<string, string>>;

/** A new person, in a browser whose requests see other variables; and the same person's client, for reading streams. */
const aSpender = async (client = somebody()) => {
  const { cookies } = await signIn(client.email, "http://localhost");
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const request = (variables: Variables, method: string, path: string, body?: unknown) =>
    worker.request(
      `http://localhost${path}`,
      {
        method,
        headers: { cookie, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
      { ...env, ...variables },
    );
  return {
    ...client,
    request,
    /** Posts a turn; the response. */
    turn: (variables: Variables, prompt: string, threadId = "t") =>
      request(variables, "POST", "/api/agent/turn", { threadId, prompt }),
  };
};

const OWNER = { AGENT_OWNER_DAY_BUDGET_USD: "0.05" };
const USED_UP = { status: 429, body: { error: "Today's budget is used up." } };

const RunId = (body: unknown): string => String(Reflect.get(Object(body), "runId"));

/** Starts a turn under the variables and reads it to its end. */
const runUnder = async (person: Awaited<ReturnType<typeof aSpender>>, variables: Variables, prompt: string) => {
  const { status, body } = await answerOf(await person.turn(variables, prompt));
  expect(status).toBe(200);
  const runId = RunId(body);
  const events = await person.follow(`/_framework/runs/${runId}/events`);
  await person.wake(runId);
  return { runId, events, end: theOnly(events, "run_end") };
};

const spentToday = async (email: string): Promise<number | null> => {
  const row = await env.DB.prepare("SELECT cost_pico_usd AS cost FROM day_costs WHERE owner_hash = ? AND id = ''")
    .bind(await ownerHash(email))
    .first<{ cost: number }>();
  return row && row.cost / 1e12;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("an owner's budget of a day", () => {
  it("ends the run that has used it up, and refuses the next one until midnight", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall(), dearCall(), say("Never.")]);
    const { end } = await runUnder(person, OWNER, model.prompt("Hello"));
    expect(end).toMatchObject({ status: "incomplete", stopReason: "budget", error: null, costUsd: "0.06", steps: 2 });
    const refused = await person.turn(OWNER, model.prompt("Again"));
    vi.setSystemTime(new Date(`${new Date().toISOString().slice(0, 10)}T23:59:00.000Z`));
    const later = await person.turn(OWNER, model.prompt("Again"));
    expect(await answerOf(refused)).toEqual(USED_UP);
    expect([later.status, later.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await model.requests()).toHaveLength(2);
  });

  it("is new on the next day", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall(), say("Next.", DEAR)]);
    await runUnder(person, OWNER, model.prompt("Hello"));
    vi.setSystemTime(Date.now() + 24 * 60 * 60_000);
    expect((await runUnder(person, OWNER, model.prompt("Tomorrow"))).end).toMatchObject({ status: "completed" });
  });

  it("leaves the next run what the one before has not spent", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [say("One.", DEAR), dearCall(), say("Never.")]);
    expect((await runUnder(person, OWNER, model.prompt("Hello"))).end).toMatchObject({ status: "completed" });
    const { end } = await runUnder(person, OWNER, model.prompt("Again"));
    expect(end).toMatchObject({ status: "incomplete", stopReason: "budget", costUsd: "0.03" });
    expect(await spentToday(person.email)).toBe(0.06);
  });

  it("is one person's: another one starts", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall(), say("Other.")]);
    await runUnder(person, OWNER, model.prompt("Hello"));
    expect((await runUnder(await aSpender(), OWNER, model.prompt("Hello"))).end).toMatchObject({ status: "completed" });
  });

  it("is one mailbox's, in however many ways its address can be written", async () => {
    const person = await aSpender();
    const other = await aSpender({ ...somebody(), email: person.email.replace("@", "+1@") });
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall(), say("Never.")]);
    await runUnder(person, OWNER, model.prompt("Hello"));
    expect(await answerOf(await other.turn(OWNER, model.prompt("Hello")))).toEqual(USED_UP);
  });

  it("does not ask: what a person could allow a run comes before it", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall(), say("Never.")]);
    const { events } = await runUnder(person, { ...OWNER, AGENT_RUN_BUDGET_USD: "5" }, model.prompt("Hello"));
    expect(events.map(({ type }) => type)).not.toContain("permission_request");
  });

  it.each<CrashPoint>(["before send index", "after send index"])("counts a run once that dies %s", async (point) => {
    const person = await aSpender();
    const threadId = crypto.randomUUID();
    planCrashes(threadId, [point]);
    const model = await scriptModel(inject("modelUrl"), [say("One.", DEAR)]);
    const { body } = await answerOf(await person.turn(OWNER, model.prompt("Hello"), threadId));
    await person.follow(`/_framework/runs/${RunId(body)}/events`);
    await vi.waitFor(async () => {
      vi.setSystemTime(Date.now() + 10_000);
      await person.wake(RunId(body));
      expect(await answerOf(await person.request({}, "GET", "/_framework/threads"))).toMatchObject({
        body: { threads: [{ activeRunId: null }] },
      });
    }, PATIENT);
    await died(threadId);
    expect(await spentToday(person.email)).toBe(0.03);
  });

  it("counts a run whose thread is deleted while it streams", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [dearCall(), holdMidStream("Half", " more")]);
    await person.turn(OWNER, model.prompt("Hello"));
    await model.reaches(2, "held");
    expect(await person.ask("DELETE", person.threadPath("t"))).toMatchObject({ status: 200 });
    expect(await spentToday(person.email)).toBeGreaterThanOrEqual(0.03);
  });

  it.each([
    ["a text", holdMidStream("word ".repeat(10_000), " more")],
    ["a call's input", holdAfterCall("write_file", `{"path":"a.txt","content":"${"word ".repeat(10_000)}`, "Next")],
  ] as const)(
    "counts the output of %s that is stopped or deleted before its end, and shows what the provider said",
    async (_, reply) => {
      // 50,000 bytes.
      const leastUsd = 0.16;
      const person = await aSpender();
      const model = await scriptModel(inject("modelUrl"), [reply, reply]);
      const begin = async (threadId: string) => {
        const { body } = await answerOf(
          await person.turn({ AGENT_OWNER_DAY_BUDGET_USD: "0.3" }, model.prompt("Write"), threadId),
        );
        return RunId(body);
      };
      const runId = await begin("stopped");
      await person.eventsUntil(`/_framework/runs/${runId}/events`, "text_delta");
      await person.abort(runId);
      const events = await person.follow(`/_framework/runs/${runId}/events`);
      await person.wake(runId);
      expect(theOnly(events, "run_end").costUsd).toBe("0.00003");
      expect(await spentToday(person.email)).toBeGreaterThan(leastUsd);
      await person.eventsUntil(`/_framework/runs/${await begin("deleted")}/events`, "text_delta");
      expect(await person.ask("DELETE", person.threadPath("deleted"))).toMatchObject({ status: 200 });
      expect(await spentToday(person.email)).toBeGreaterThan(2 * leastUsd);
      expect(await answerOf(await person.turn({ AGENT_OWNER_DAY_BUDGET_USD: "0.3" }, model.prompt("Again")))).toEqual(
        USED_UP,
      );
    },
  );

  it("counts the output of an answer that is too long to be read to its end", async () => {
    const person = await aSpender();
    const texts = Array.from({ length: 40 }, () => textDelta(0, "=".repeat(10_000)));
    const frames = [...openMessage(), openText(0), ...texts, closeBlock(0), ...closeMessage("end_turn")];
    const model = await scriptModel(inject("modelUrl"), [{ type: "stream", frames }]);
    const { end } = await runUnder(person, { AGENT_OWNER_DAY_BUDGET_USD: "5" }, model.prompt("Write"));
    expect(end).toMatchObject({ stopReason: "max_tokens" });
    // 290,000 bytes.
    expect(await spentToday(person.email)).toBeGreaterThan(0.9);
  });

  it("outlives the account", async () => {
    const person = await aSpender();
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall()]);
    await runUnder(person, OWNER, model.prompt("Hello"));
    await answerOf(await person.request({}, "DELETE", "/_framework/account"));
    expect(await spentToday(person.email)).toBe(0.06);
  });
});

it("everybody's budget of a day refuses each", async () => {
  const person = await aSpender();
  const model = await scriptModel(inject("modelUrl"), [say("One.", DEAR)]);
  await runUnder(person, { AGENT_DAY_BUDGET_USD: "999999" }, model.prompt("Hello"));
  const all = { AGENT_DAY_BUDGET_USD: "0.03" };
  expect(await answerOf(await (await aSpender()).turn(all, model.prompt("Hello")))).toEqual(USED_UP);
});

it("a summary by hand is refused, too, once the budget is used up", async () => {
  const person = await aSpender();
  const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall()]);
  await runUnder(person, OWNER, model.prompt("Hello"));
  expect(await answerOf(await person.request(OWNER, "POST", "/_framework/threads/t/compact"))).toEqual(USED_UP);
});

it("a summary by hand is counted once: not again by the run that tells of it", async () => {
  const person = await aSpender();
  const budget = { AGENT_OWNER_DAY_BUDGET_USD: "5" };
  const model = await scriptModel(inject("modelUrl"), [
    ...[say("One.", DEAR), say("Two.", DEAR), say("Three.", DEAR)],
    ...[summary("They greet."), say("Four.", DEAR)],
  ]);
  for (const prompt of ["First", "Second", "Third"]) await runUnder(person, budget, model.prompt(prompt));
  expect(await answerOf(await person.request(budget, "POST", "/_framework/threads/t/compact"))).toMatchObject({
    status: 200,
  });
  const withSummary = await spentToday(person.email);
  const { end } = await runUnder(person, budget, model.prompt("Fourth"));
  expect(withSummary).toBeGreaterThan(0.09);
  expect(Number(end.costUsd)).toBeGreaterThan(0.03);
  expect(await spentToday(person.email)).toBeCloseTo(Number(withSummary) + 0.03, 9);
});

it.each([
  ["like one that does not", 503],
  ["also when its session cannot be told", 500],
])("a summary by hand that fails is counted once, %s", async (_, status) => {
  if (status === 500) aroundMethod(SessionObject.prototype, "noteDropped", () => Promise.reject(new Error("Away.")));
  const person = await aSpender();
  const budget = { AGENT_OWNER_DAY_BUDGET_USD: "5" };
  const three = [say("One.", DEAR), say("Two.", DEAR), say("Three.", DEAR)];
  const model = await scriptModel(inject("modelUrl"), [...three, noSummary("refusal"), say("Four.", DEAR)]);
  for (const prompt of ["First", "Second", "Third"]) await runUnder(person, budget, model.prompt(prompt));
  expect(await answerOf(await person.request(budget, "POST", "/_framework/threads/t/compact"))).toMatchObject({
    status,
  });
  expect(await spentToday(person.email)).toBeCloseTo(0.09 + 0.00007, 9);
  await runUnder(person, budget, model.prompt("Fourth"));
  expect(await spentToday(person.email)).toBeCloseTo(0.12 + 0.00007, 9);
});

it("a budget that cannot be read lets nothing start, and the log says so", async () => {
  const person = await aSpender();
  const answer = await person.turn({ AGENT_DAY_BUDGET_USD: "$5" }, "hello");
  expect(await answerOf(answer)).toEqual({ status: 503, body: { error: "The agent is unavailable. Try again." } });
});

it("AGENT_PAUSED keeps turns and summaries from starting, and nothing else", async () => {
  const person = await aSpender();
  const model = await scriptModel(inject("modelUrl"), [say("One.")]);
  await runUnder(person, {}, model.prompt("Hello"));
  const paused = { AGENT_PAUSED: "true" };
  const refused = [
    await person.turn(paused, model.prompt("Again")),
    await person.request(paused, "POST", "/_framework/threads/t/compact"),
  ];
  expect(refused.map(({ status, headers }) => [status, headers.get("Retry-After")])).toEqual([
    [503, "300"],
    [503, "300"],
  ]);
  expect(await refused[0]?.json()).toEqual({ error: "The agent is paused here. Try again later." });
  expect((await person.request(paused, "GET", "/_framework/threads/t/runs")).status).toBe(200);
});
