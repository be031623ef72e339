/** `POST /_framework/threads/<thread_id>/compact`: a person has earlier turns summarized (api.md §7). */
import { describe, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, noSummary, say, summary, think, thought, toCompaction } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { fail, holdBefore, promptTooLong, serverError, unauthorized } from "../../support/model-troubles.ts";
import { chat, messagesOf } from "../../support/workerd/chat.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";

const UNAVAILABLE = { status: 503, body: { error: "The agent is unavailable. Try again." } };

/** Three turns that have read 50,000 tokens; then `replies`. */
const threeTurns = async (replies: readonly Reply[], files: Readonly<Record<string, string>> = {}) => {
  const third = message([thought("c"), { type: "text", text: "Three." }], { usage: { input: 50_000 } });
  const talk = await chat([think("a", "One."), think("b", "Two."), third, ...replies], files);
  await talk.turns("First words", "Second words", "Third words");
  return talk;
};

describe("a thread that is summarized by hand", () => {
  it("says how much shorter it is; its next turn tells of it, once, and begins with the summary", async ({
    expect,
  }) => {
    const talk = await threeTurns([summary("They greet."), think("d", "Four."), say("Five.")]);
    const { status, body } = await talk.compact();
    const { tokensAfter } = Object(body);
    expect([status, body]).toEqual([200, { ok: true, tokensBefore: 50_005, tokensAfter: expect.any(Number) }]);
    expect(tokensAfter).toBeLessThan(50_005);

    const fourth = await talk.turn("Fourth words");
    expect(kinds(fourth)).toEqual([
      ...["run_start", "user_message", "context_compacted"],
      ...["message_start", "thinking_delta", "text_delta", "message_end", "run_end"],
    ]);
    expect(ofType(fourth, "context_compacted")).toMatchObject([
      { trigger: "manual", tokensBefore: 50_005, tokensAfter, summary: "They greet.", usage: { outputTokens: 5 } },
    ]);
    expectWhole(fourth, "completed");
    expect(ofType(await talk.turn("Fifth words"), "context_compacted")).toEqual([]);

    const [, , third, asked, after, last] = await talk.bodies();
    expect(messagesOf(asked)).toEqual(messagesOf(third).slice(0, 2));
    expect(messagesOf(after)[0]).toMatchObject({ content: [{ type: "compaction", content: "They greet." }] });
    expect(messagesOf(after).slice(1, 4)).toEqual(messagesOf(third).slice(2));
    expect(whereItDiffers(after ?? {}, last ?? {})).toBeUndefined();
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is as long as it is when it is asked again: there is nothing more to summarize", async ({ expect }) => {
    const talk = await threeTurns([summary("They greet.")]);
    const { tokensAfter } = Object((await talk.compact()).body);
    expect(await talk.compact()).toEqual({
      status: 200,
      body: { ok: true, tokensBefore: tokensAfter, tokensAfter },
    });
    expect(await talk.summaries()).toHaveLength(1);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is asked for with the effort of its last turn, and so reads what that has put into the cache", async ({
    expect,
  }) => {
    const replies = [
      say("One."),
      say("Two."),
      say("Three."),
      summary("They greet.", { usage: "counted" }),
      say("Four."),
    ];
    const talk = await chat(replies);
    for (const text of ["Many words. ".repeat(5_000), "Second words", "Third words"]) {
      const turn = { threadId: talk.thread, prompt: talk.model.prompt(text), effort: "low" };
      const { body } = await talk.person.ask("POST", "/api/agent/turn", turn);
      await talk.person.events(Object(body).events);
      await talk.handedOver();
    }
    await talk.compact();
    expect(await talk.summaryRequests()).toMatchObject([{ output_config: { effort: "low" } }]);
    const { usage } = theOnly(await talk.turn("Fourth words"), "context_compacted");
    expect(usage.cacheReadTokens).toBeGreaterThan(15_000);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is summarized by the default model where that of its last turn is no longer allowed", async ({ expect }) => {
    const talk = await threeTurns([summary("They greet."), say("Four.")]);
    await talk.inSession((sql) => sql.exec("UPDATE block SET model = 'claude-retired-1'"));
    expect(await talk.compact()).toMatchObject({ status: 200 });
    expect(await talk.summaryRequests()).toMatchObject([{ model: "claude-sonnet-5-5" }]);
    expectWhole(await talk.turn("Fourth words"), "completed");
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is given the project's rules again in its next turn, without a word about it", async ({ expect }) => {
    const replies = [summary("They greet."), say("Moin."), say("Moin, moin.")];
    const talk = await threeTurns(replies, { "AGENTS.md": "Always say moin." });
    await talk.compact();
    expect(ofType(await talk.turn("Fourth words"), "context_added")).toEqual([]);
    await talk.turn("Fifth words");
    const [after, last] = (await talk.calls()).slice(3);
    expect(JSON.stringify(messagesOf(after).at(-1))).toContain("Always say moin.");
    expect(JSON.stringify(messagesOf(last)).split("Always say moin.")).toHaveLength(2);
    expect(whereItDiffers(after ?? {}, last ?? {})).toBeUndefined();
  });

  it("has nothing said between the summary and the turns that stay, although it was too long once", async ({
    expect,
  }) => {
    const talk = await chat([
      ...[say("One."), say("Two."), promptTooLong(), say("Three."), say("Four.")],
      ...[summary("They greet."), say("Five.")],
    ]);
    await talk.turns("Many words. ".repeat(5_000), "Second words", "Third words", "Fourth words");
    expect(JSON.stringify((await talk.calls()).at(-1))).toContain("are left out here");
    expect(await talk.compact()).toMatchObject({ status: 200 });
    await talk.turn("Fifth words");
    const last = (await talk.calls()).at(-1);
    expect(messagesOf(last)[0]).toMatchObject({ content: [{ type: "compaction" }] });
    expect(JSON.stringify(messagesOf(last).slice(1))).not.toContain("are left out here");
    expect(await talk.model.violations()).toEqual([]);
  });
});

describe("with nothing to summarize, both counts are the same:", () => {
  it.for<[string, readonly string[]]>([
    ["a thread of one turn", ["First"]],
    ["a thread of two turns", ["First", "Second"]],
  ])("%s", async ([, texts], { expect }) => {
    const talk = await chat([say("One."), say("Two.", { usage: { input: 10 } })]);
    await talk.turns(...texts);
    expect(await talk.compact()).toEqual({ status: 200, body: { ok: true, tokensBefore: 15, tokensAfter: 15 } });
    expect(await talk.summaryRequests()).toEqual([]);
  });

  it("a thread in which nothing was ever answered", async ({ expect }) => {
    const talk = await chat([unauthorized(), unauthorized(), unauthorized()]);
    await talk.turns("First", "Second", "Third");
    const { status, body } = await talk.compact();
    expect([status, Object(body).tokensBefore]).toEqual([200, Object(body).tokensAfter]);
    expect(await talk.summaryRequests()).toEqual([]);
  });
});

describe("a provider that returns no summary", () => {
  it.for<[string, Reply, number[]]>([
    ["refuses", toCompaction(fail(400, "invalid_request_error", "compaction: not now")), []],
    ["fails", toCompaction(serverError()), []],
    ["stops early, which the next turn pays for", noSummary("max_tokens"), [10]],
  ])("%s: 503, nothing is kept, and it can be asked again", async ([, trouble, paid], { expect }) => {
    const talk = await threeTurns([trouble, say("Four."), summary("They greet.")]);
    const answer = await talk.person.request(`${talk.person.threadPath(talk.thread)}/compact`, { method: "POST" });
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      UNAVAILABLE.body,
    ]);
    expect(await talk.summaries()).toEqual([]);
    const next = await talk.turn("Fourth words");
    expectWhole(next, "completed");
    expect(kinds(next)).not.toContain("context_compacted");
    expect(ofType(next, "message_discard").map(({ usage }) => usage?.inputTokens)).toEqual(paid);
    const [, , third, fourth] = await talk.calls();
    expect(whereItDiffers(third ?? {}, fourth ?? {})).toBeUndefined();
    expect(await talk.compact()).toMatchObject({ status: 200 });
    expect(await talk.summaries()).toHaveLength(1);
  });
});

describe("a session that dies while a summary is kept by hand", () => {
  it.for<CrashPoint>([
    "before reserve",
    "after reserve",
    "before load",
    "after load",
    "before saveCompaction",
    "after saveCompaction",
    "before finish",
    "after finish",
  ])("%s costs nothing: there is one", async (point, { expect }) => {
    const talk = await threeTurns([summary("They greet."), say("Four.")]);
    await talk.handedOver();
    planCrashes("session", [point]);
    expect(await talk.compact()).toMatchObject({ status: 200 });
    await died("session");
    expect(await talk.summaries()).toHaveLength(1);
    expect(ofType(await talk.turn("Fourth words"), "context_compacted")).toHaveLength(1);
    expect(await talk.model.violations()).toEqual([]);
  });

  it.for<[CrashPoint, number]>([
    ["before saveCompaction", 0],
    ["after saveCompaction", 1],
  ])("twice %s: 503, and the thread goes on", async ([point, kept], { expect }) => {
    const talk = await threeTurns([summary("They greet."), say("Four.")]);
    await talk.handedOver();
    planCrashes("session", [point, point]);
    expect(await talk.compact()).toEqual(UNAVAILABLE);
    await died("session");
    expect(await talk.summaries()).toHaveLength(kept);
    const events = await talk.turn("Fourth words");
    expectWhole(events, "completed");
    expect(ofType(events, "context_compacted")).toHaveLength(kept);
    // It is paid for either way, once.
    expect(ofType(events, "message_discard")).toHaveLength(1 - kept);
    expect(await talk.model.violations()).toEqual([]);
  });
});

it("is summarized although the client has left: the thread is free as soon as the summary is there", async ({
  expect,
}) => {
  const talk = await threeTurns([toCompaction(holdBefore(summary("They greet."))), say("Four.")]);
  const leaving = new AbortController();
  const path = `${talk.person.threadPath(talk.thread)}/compact`;
  const asked = talk.person.request(path, { method: "POST", signal: leaving.signal });
  await talk.model.reaches(4, "held");
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await talk.model.release();
  const events = await talk.turn("Fourth words");
  expectWhole(events, "completed");
  expect(ofType(events, "context_compacted")).toHaveLength(1);
});

it("goes on from a summary that an earlier release counted as less than nothing", async ({ expect }) => {
  const talk = await threeTurns([summary("They greet."), say("Four."), say("Five.")]);
  await talk.compact();
  await talk.inSession((sql) => {
    sql.exec("UPDATE notice SET event = json_set(event, '$.tokensBefore', -7, '$.tokensAfter', -9)");
    sql.exec("UPDATE facts SET body = json_set(body, '$.inputTokens', -9)");
  });
  const { status, body } = await talk.compact();
  expect([status, Object(body).tokensBefore > 100]).toEqual([200, true]);
  const fourth = await talk.turn("Fourth words");
  expectWhole(fourth, "completed");
  expect(theOnly(fourth, "context_compacted")).toMatchObject({ tokensBefore: 0, tokensAfter: 0 });
  expect(ofType(await talk.turn("Fifth words"), "context_compacted")).toEqual([]);
});
