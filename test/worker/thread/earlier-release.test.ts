/** Threads and runs that a release without schema versions left behind continue: objects migrate their tables when they wake. */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { say, summary, think } from "../../support/model-script.ts";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { messagesOf } from "../../support/workerd/chat.ts";
import {
  earlierThread,
  ended,
  messageEnd,
  messageStart,
  opening,
  QUEUED,
  runEnd,
  STARTED,
  waiting,
} from "../../support/workerd/earlier/earlier-release.ts";
import { type EarlierMessage, earlierTalk } from "../../support/workerd/earlier/earlier-talk.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { noticesTold } from "../../support/workerd/handed-over.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";

nothingDue();

const DROPS = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };

/** A talk of some turns, as the earlier release had them. */
const turnsOf = async (count: number, padding = "") => {
  const talk = await earlierTalk();
  const turns: EarlierMessage[][] = [];
  for (let nth = 1; nth <= count; nth += 1) turns.push(await talk.turn(nth, padding));
  return { talk, turns };
};

describe("a long thread of the earlier release", () => {
  it("continues: what was said is sent unchanged, and thinking under other rules may be dropped", async ({
    expect,
  }) => {
    const { talk, turns } = await turnsOf(30);
    const { person, say: ask, version } = await earlierThread(talk, turns);
    const before = (await talk.model.requests()).length;
    await talk.model.add([think("New.", "Here I am."), think("Newer.", "Still here.")]);
    const first = await person.events((await ask("And now?")).events);
    const second = await person.events((await ask("And then?")).events);
    expect(first.at(-1)).toMatchObject({ status: "completed" });
    expect(theOnly(second, "run_start")).toMatchObject({ resumed: true, attempt: 1 });
    expect(kinds(second).filter((kind) => kind.startsWith("context_"))).toEqual([]);

    const [one, two] = (await talk.model.requests()).slice(before).map(({ body }) => body);
    expect(messagesOf(one).slice(0, -1)).toEqual(talk.messages());
    expect([one?.thinking, two?.thinking]).toMatchObject([DROPS, DROPS]);
    expect(whereItDiffers(one ?? {}, two ?? {})).toBeUndefined();
    expect(await version()).toEqual([2, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("that is too long begins with a summary, whose cost and length are estimated", async ({ expect }) => {
    const { talk, turns } = await turnsOf(4, "x".repeat(200_000));
    const { person, say: ask } = await earlierThread(talk, turns);
    // The conversation was held behind other rules: what was thought in the turns that stay is lost, and may be.
    await talk.model.withoutRules("compactionHead");
    await talk.model.add([summary("They ask and answer."), think("New.", "Here I am."), say("Still here.")]);
    const events = await person.events((await ask("And now?")).events);
    expectWhole(events, "completed");
    const { tokensBefore, tokensAfter } = theOnly(events, "context_compacted");
    expect([tokensBefore > 150_000, tokensAfter < 130_000]).toEqual([true, true]);
    await person.events((await ask("And then?")).events);
    const [one, two] = (await talk.model.requests()).slice(-2).map(({ body }) => body);
    expect(messagesOf(one)[0]).toMatchObject({ content: [{ type: "compaction", content: "They ask and answer." }] });
    expect(messagesOf(one).slice(1, -1)).toEqual(turns.slice(2).flat());
    expect(whereItDiffers(one ?? {}, two ?? {})).toBeUndefined();
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is summarized by hand", async ({ expect }) => {
    const { talk, turns } = await turnsOf(4);
    const { person, threadId } = await earlierThread(talk, turns);
    await talk.model.withoutRules("compactionHead");
    await talk.model.add([summary("They ask and answer.")]);
    expect(await person.ask("POST", `${person.threadPath(threadId)}/compact`)).toMatchObject({
      status: 200,
      body: { ok: true, tokensBefore: expect.any(Number) },
    });
    expect(await talk.model.violations()).toEqual([]);
  });
});

/** A thread with a run at a permission card and one that waits behind it. */
const threadWithCard = async () => {
  const { talk, turns } = await turnsOf(2);
  const thread = await earlierThread(talk, turns);
  const [asked, answer] = await talk.asking("AAPL");
  const requestId = crypto.randomUUID();
  const call = {
    ...{ toolCallId: "1-0", toolUseId: "toolu_earlier", messageId: "m1", tool: "add-stock", kind: "edit" },
    ...{ title: "Add AAPL", input: { symbol: "AAPL" } },
  };
  const request = {
    ...{ requestId, toolCallId: "1-0", tool: "add-stock", kind: "edit", title: "Add AAPL" },
    subject: { type: "action", name: "add-stock", input: { symbol: "AAPL" } },
    options: [
      { decision: "allow_once", label: "Allow once" },
      { decision: "reject", label: "Reject" },
    ],
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const { toolUseId: _, ...shown } = call;
  const live = await thread.addRun({
    prompt: String(asked?.content[0]?.text),
    state: { status: "waiting_permission", ...STARTED, requestId },
    events: (spec) => [
      ...opening(spec),
      messageStart("m1"),
      messageEnd("m1", "", "tool_use"),
      { type: "tool_start", ...shown },
      { type: "permission_request", ...request },
      { type: "run_status", status: "waiting_permission" },
    ],
    messages: [{ id: "m1", startSeq: 3, content: answer?.content }],
    calls: [{ call, state: { type: "asking" } }],
    requests: [request],
  });
  const queued = await thread.addRun({ prompt: "And then?", state: QUEUED, events: waiting });
  return { ...thread, talk, live, queued, requestId, expiresAt: request.expiresAt };
};

describe("a run of the earlier release", () => {
  it("at a permission card is answered and completes; the one that waits behind it begins", async ({ expect }) => {
    const { person, talk, live, queued, requestId, path, version } = await threadWithCard();
    expect(await person.view(live)).toMatchObject({
      status: "waiting_permission",
      pendingPermissions: [{ requestId }],
    });
    const said = talk.messages();
    await talk.model.add([think("Done.", "Added."), say("Nothing else.")]);
    expect(await person.decide(live, requestId, { decision: "allow_once" })).toMatchObject({ status: 200 });
    expectWhole(await person.follow(path(live)), "completed");
    expect(await person.action("list-stocks", {})).toMatchObject({ items: [{ symbol: "AAPL", version: 1 }], total: 1 });

    const later = await person.follow(path(queued));
    expect(kinds(later).slice(0, 3)).toEqual(["run_queued", "user_message", "run_start"]);
    expectWhole(later, "completed");
    const [one, two] = (await talk.model.requests()).slice(-2).map(({ body }) => body);
    expect(messagesOf(one).slice(0, -1)).toEqual(said);
    expect(messagesOf(one).at(-1)).toMatchObject({ content: [{ type: "tool_result", tool_use_id: "toolu_earlier" }] });
    expect([one?.thinking, two?.thinking]).toMatchObject([DROPS, DROPS]);
    expect(whereItDiffers(one ?? {}, two ?? {})).toBeUndefined();
    expect(await version()).toEqual([2, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("at a permission card that nobody watches is told once, and then sleeps until the card expires", async ({
    expect,
  }) => {
    const clock = heldClock(Date.now() + 3_600_000);
    const { person, live, requestId, expiresAt } = await threadWithCard();
    const run = env.RUNS.getByName(live);
    await runInDurableObject(run, (_, { storage }) => storage.setAlarm(Date.parse(expiresAt)));
    const later = async (seconds: number) => {
      clock.forward(seconds * 1_000);
      await person.wake(live);
      await noticesTold(live);
      const told = env.DB.prepare("SELECT dedup_key FROM notices WHERE owner_email = ?").bind(person.email);
      return (await told.all()).results;
    };
    expect(await later(6)).toEqual([{ dedup_key: `permission:${requestId}` }]);
    expect(await later(6)).toEqual([{ dedup_key: `permission:${requestId}` }]);
    expect(await runInDurableObject(run, (_, { storage }) => storage.getAlarm())).toBe(Date.parse(expiresAt));
  });

  it("at a permission card is stopped, and the one that waits behind it begins", async ({ expect }) => {
    const { person, talk, live, queued, path } = await threadWithCard();
    await talk.model.add([say("Nothing else.")]);
    expect(await person.abort(live)).toMatchObject({ body: { status: STOPPED_OR_STOPPING } });
    expectWhole(await person.follow(path(live)), "aborted");
    expectWhole(await person.follow(path(queued)), "completed");
    expect(await talk.model.violations()).toEqual([]);
  });

  it("whose answer broke off with the release asks again", async ({ expect }) => {
    const { talk, turns } = await turnsOf(2);
    const { person, model, addRun, path } = await earlierThread(talk, turns);
    const run = await addRun({
      prompt: model.prompt("And now?"),
      state: { status: "running", ...STARTED },
      events: (spec) => [...opening(spec), messageStart("m1"), { type: "text_delta", messageId: "m1", text: "He" }],
      messages: [{ id: "m1", startSeq: 3 }],
    });
    await model.add([say("Here.")]);
    const events = await person.follow(path(run));
    expect(kinds(events).slice(2, 6)).toEqual(["message_start", "text_delta", "message_discard", "run_start"]);
    expectWhole(events, "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("that has not handed over does so as soon as its thread continues", async ({ expect }) => {
    const { talk, turns } = await turnsOf(1);
    const thread = await earlierThread(talk, turns);
    const { person, model, path } = thread;
    const run = await thread.addRun({
      prompt: model.prompt("Remember the word plum."),
      state: ended(5),
      events: (spec) => [...opening(spec), messageStart("m1"), messageEnd("m1", "I will.", "end_turn"), runEnd],
      messages: [{ id: "m1", startSeq: 3, content: [{ type: "text", text: "I will." }] }],
      outbox: ["session", "index"],
    });
    await model.add([say("Plum.")]);
    const next = await thread.say("Which word?");
    const events = await person.follow(next.events);
    expectWhole(events, "completed");
    const request = (await model.requests()).at(-1)?.body;
    expect(messagesOf(request).slice(4, 6)).toEqual([
      { role: "user", content: [{ type: "text", text: model.prompt("Remember the word plum.") }] },
      { role: "assistant", content: [{ type: "text", text: "I will." }] },
    ]);
    // Its log is as it was, and D1 knows that it is over.
    expect(ofType(await person.events(path(run)), "run_end")).toMatchObject([{ status: "completed", costUsd: null }]);
    expect(await person.ask("GET", `${person.threadPath(thread.threadId)}/runs`)).toMatchObject({
      body: { runs: [{ runId: run, status: "completed" }, { runId: next.runId }] },
    });
    expect(await model.violations()).toEqual([]);
  });
});
