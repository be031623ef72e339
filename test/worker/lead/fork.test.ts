/** `POST /_framework/threads/<thread_id>/fork`: a person goes on from an earlier point in a new chat (api.md §2). */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { z } from "zod";
import { REWIND_TABLES } from "../../../src/session/session-schema.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, summary, think, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { chat } from "../../support/workerd/chat.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const Runs = z.object({
  runs: z.array(z.looseObject({ runId: z.string(), inherited: z.boolean().optional() })),
});

const Forked = z.object({ threadId: z.string() });

const Titles = z.object({ threads: z.array(z.looseObject({ threadId: z.string(), title: z.string() })) });

/** A chat that has had turns, with what branches it. */
const talkOf = async (replies: readonly Reply[], ...texts: readonly string[]) => {
  const talk = await chat(replies);
  const { person, thread, model } = talk;
  for (const text of texts) await talk.allowed(text);
  await talk.handedOver();
  const runsOf = async (threadId: string) =>
    Runs.parse((await person.ask("GET", `${person.threadPath(threadId)}/runs`)).body).runs;
  const post = async (beforeRunId: string | undefined, key?: string, from = thread) =>
    answerOf(
      await person.post(
        `${person.threadPath(from)}/fork`,
        { beforeRunId },
        key === undefined ? {} : { "Idempotency-Key": key },
      ),
    );
  return {
    ...talk,
    runsOf,
    post,
    /** Branches before the nth run, from 1. */
    fork: async (nth: number, from = thread) =>
      Forked.parse((await post((await runsOf(from))[nth - 1]?.runId, undefined, from)).body).threadId,
    inherited: async (threadId: string) => (await runsOf(threadId)).map(({ inherited }) => inherited),
    turnIn: async (threadId: string, text: string) =>
      person.events((await person.startTurn(threadId, model.prompt(text))).events),
  };
};

const thinks = (text: string) => think(`About ${text}`, text);

const reading = (text: string): Reply[] => [
  message([thought(`Look for ${text}`), toolUse({ name: "list-stocks", input: {} })]),
  thinks(text),
];

describe("a chat that is branched", () => {
  it("goes on in both, each from its own past", async ({ expect }) => {
    const talk = await talkOf(
      [...reading("One."), thinks("Two."), thinks("Three."), thinks("Branched."), thinks("Four.")],
      ...["First words", "Second words", "Third words"],
    );
    const fork = await talk.fork(2);
    expect(await talk.inherited(fork)).toEqual([true]);
    expectWhole(await talk.turnIn(fork, "Branch words"), "completed");
    expectWhole(await talk.turn("Fourth words"), "completed");
    expect(await talk.inherited(fork)).toEqual([true, undefined]);
    expect(await talk.inherited(talk.thread)).toEqual([undefined, undefined, undefined, undefined]);
    const [, first, , third, branched, fourth] = await talk.calls();
    expect(whereItDiffers(first ?? {}, branched ?? {})).toBeUndefined();
    expect(JSON.stringify(branched)).not.toContain("Second words");
    expect(whereItDiffers(third ?? {}, fourth ?? {})).toBeUndefined();
    expect(JSON.stringify(fourth)).not.toContain("Branch words");
    expect(await talk.drops()).not.toContain(true);
    const { threads } = Titles.parse((await talk.person.ask("GET", "/_framework/threads")).body);
    expect(threads.find(({ threadId }) => threadId === fork)?.title).toMatch(/^First words .* \(branch\)$/);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("keeps its conversation and its transcripts when the original is deleted, and all goes with the last branch", async ({
    expect,
  }) => {
    const talk = await talkOf(
      [...reading("One."), thinks("Two."), thinks("Three."), thinks("Four.")],
      ...["First words", "Second words"],
    );
    const { person } = talk;
    const [first, second] = await talk.runsOf(talk.thread);
    const fork = await talk.fork(2);
    await talk.turnIn(fork, "Third words");
    const branchOfBranch = await talk.fork(2, fork);
    expect(await talk.inherited(branchOfBranch)).toEqual([true]);
    const empty = await talk.fork(1, fork);
    expect(await talk.inherited(empty)).toEqual([]);
    expect(await person.ask("DELETE", person.threadPath(talk.thread))).toMatchObject({ status: 200 });
    expect(await talk.inherited(fork)).toEqual([true, undefined]);
    expectWhole(await person.events(`/_framework/runs/${first?.runId}/events`), "completed");
    expect(await person.ask("GET", `/_framework/runs/${second?.runId}`)).toMatchObject({ status: 404 });
    expectWhole(await talk.turnIn(fork, "Fourth words"), "completed");
    const calls = await talk.calls();
    expect(whereItDiffers(calls[1] ?? {}, calls.at(-1) ?? {})).toBeUndefined();
    // A new chat under the id of the deleted one has none of its runs.
    expect(await person.ask("GET", `${person.threadPath(talk.thread)}/runs`)).toMatchObject({ status: 404 });
    expect(await person.ask("DELETE", person.threadPath(fork))).toMatchObject({ status: 200 });
    expect(await person.ask("DELETE", person.threadPath(empty))).toMatchObject({ status: 200 });
    expect(await person.ask("GET", `/_framework/runs/${first?.runId}`)).toMatchObject({ status: 200 });
    expect(await person.ask("DELETE", person.threadPath(branchOfBranch))).toMatchObject({ status: 200 });
    expect(await person.ask("GET", `/_framework/runs/${first?.runId}`)).toMatchObject({ status: 404 });
    const rows = await env.DB.prepare("SELECT count(*) AS n FROM runs WHERE owner_email = ?")
      .bind(person.email)
      .first();
    const marks = await env.DB.prepare("SELECT count(*) AS n FROM run_marks WHERE owner_email = ?")
      .bind(person.email)
      .first();
    expect([rows, marks]).toEqual([{ n: 0 }, { n: 0 }]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("can go back further than to where it was branched", async ({ expect }) => {
    const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });
    const talk = await talkOf(
      [thinks("One."), thinks("Two."), thinks("Three."), long, summary("They greet."), thinks("Five."), thinks("Six.")],
      ...["First words", "Second words", "Third words", "Fourth words", "Fifth words"],
    );
    const fork = await talk.fork(5);
    const [, second] = await talk.runsOf(fork);
    const { person } = talk;
    const rewind = await person.ask("POST", `${person.threadPath(fork)}/rewind`, { beforeRunId: second?.runId });
    expect(rewind).toMatchObject({ status: 200 });
    expectWhole(await talk.turnIn(fork, "Branch words"), "completed");
    const calls = await talk.calls();
    expect(whereItDiffers(calls[0] ?? {}, calls.at(-1) ?? {})).toBeUndefined();
    expect(JSON.stringify(calls.at(-1))).not.toContain("Second words");
    // The original is as it was.
    expect((await talk.runsOf(talk.thread)).map(({ replaced }) => replaced)).toEqual(Array.from({ length: 5 }));
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("has the summary that the original had", async ({ expect }) => {
    const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });
    const talk = await talkOf(
      [thinks("One."), thinks("Two."), thinks("Three."), long, summary("They greet."), thinks("Five."), thinks("Six.")],
      ...["First words", "Second words", "Third words", "Fourth words", "Fifth words"],
    );
    expectWhole(await talk.turnIn(await talk.fork(4), "Branch words"), "completed");
    const last = JSON.stringify((await talk.calls()).at(-1));
    expect([last.includes("They greet."), last.includes("Third words"), last.includes("Fourth words")]).toEqual([
      ...[true, true, false],
    ]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is one chat for one key, also when the copy was cut off", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), thinks("Two."), thinks("Three.")], "First words", "Second words");
    const [, second] = await talk.runsOf(talk.thread);
    const answer = await talk.post(second?.runId, "k");
    expect(answer).toMatchObject({ status: 200 });
    expect(await talk.post(second?.runId, "k")).toEqual(answer);
    const [first] = await talk.runsOf(talk.thread);
    expect(await talk.post(first?.runId, "k")).toMatchObject({ status: 422 });
    // As a Worker leaves it that died between the claim and the end of the copy.
    const { threadId } = Forked.parse(answer.body);
    const row = await env.DB.prepare("SELECT id FROM harness_sessions WHERE thread_id = ?").bind(threadId).first();
    const { id } = z.object({ id: z.string() }).parse(row);
    await env.DB.batch([
      env.DB.prepare("DELETE FROM threads WHERE thread_id = ?").bind(threadId),
      env.DB.prepare("DELETE FROM run_marks WHERE thread_id = ?").bind(threadId),
    ]);
    const copy = env.SESSIONS.getByName(id);
    await runInDurableObject(copy, (_, { storage: { sql } }) => {
      sql.exec("DELETE FROM block WHERE id > 1");
      sql.exec("DELETE FROM facts");
      for (const table of REWIND_TABLES.names) sql.exec(`DROP TABLE ${table}`);
    });
    await evictDurableObject(copy);
    expect(await talk.post(second?.runId, "k")).toEqual(answer);
    expect(await talk.inherited(threadId)).toEqual([true]);
    expectWhole(await talk.turnIn(threadId, "Branch words"), "completed");
    const calls = await talk.calls();
    expect(whereItDiffers(calls[0] ?? {}, calls.at(-1) ?? {})).toBeUndefined();
  });

  it("has a title that is no longer than any", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), thinks("Two.")], "First words", "Second words");
    const { person, thread } = talk;
    await person.ask("PATCH", person.threadPath(thread), { title: "🚀".repeat(100) });
    const fork = await talk.fork(2);
    const { threads } = Titles.parse((await person.ask("GET", "/_framework/threads")).body);
    const title = threads.find(({ threadId }) => threadId === fork)?.title;
    expect(title).toBe(`${"🚀".repeat(95)} (branch)`);
  });

  it("is refused while a run lives, and for what is not there or is somebody else's", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), holdBefore(thinks("Two."))], "First words");
    const [first] = await talk.runsOf(talk.thread);
    const second = await talk.start("Second words");
    await talk.model.reaches(2, "held");
    expect(await talk.post(first?.runId)).toEqual({ status: 409, body: { error: "The thread is busy." } });
    await talk.model.release();
    await talk.person.follow(second.events);
    expect(await talk.post(crypto.randomUUID())).toEqual({ status: 404, body: { error: "Run not found." } });
    expect(await talk.post("x")).toEqual({ status: 404, body: { error: "Run not found." } });
    expect(await talk.post(undefined)).toMatchObject({ status: 400 });
    // A key that is another request's is told after what is not there.
    expect(await talk.post(first?.runId, "k")).toMatchObject({ status: 200 });
    expect(await talk.post(crypto.randomUUID(), "k")).toMatchObject({ status: 404 });
    expect(await talk.post(second.runId, "k")).toMatchObject({ status: 422 });
    const stranger = somebody();
    expect(
      await stranger.ask("POST", `${stranger.threadPath(talk.thread)}/fork`, { beforeRunId: first?.runId }),
    ).toEqual({ status: 404, body: { error: "Thread not found." } });
  });
});
