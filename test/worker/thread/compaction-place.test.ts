/** A summary by hand holds the thread's place while it is made: whom it waits for, who waits for it, and how it ends. */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { reservationId } from "../../../src/session/session-wire.ts";
import { callTool, say, summary, think, toCompaction } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore, holdMidStream } from "../../support/model-troubles.ts";
import { chat, messagesOf } from "../../support/workerd/chat.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const OK = { status: 200, body: { ok: true } };
const BUSY = { status: 409, body: { error: "The thread is busy." } };
const NOT_FOUND = { status: 404, body: { error: "Thread not found." } };

const SUMMARIZED = ["message_start", "text_delta", "message_end", "run_end"];

/** Three turns; then `replies`. */
const threeTurns = async (replies: readonly Reply[]) => {
  const talk = await chat([think("a", "One."), think("b", "Two."), think("c", "Three."), ...replies]);
  await talk.turns("First words", "Second words", "Third words");
  return talk;
};

/** A summary that is being written: the provider holds it. Release the model, and await `answer`. */
const whileSummarized = async (replies: readonly Reply[]) => {
  const talk = await threeTurns([toCompaction(holdBefore(summary("They greet."))), ...replies]);
  const answer = talk.compact();
  await talk.model.reaches(4, "held");
  return { ...talk, answer };
};

describe("the route", () => {
  it("knows no thread that is nobody's, somebody else's, or too long to be one", async ({ expect }) => {
    const talk = await threeTurns([]);
    const stranger = somebody();
    const path = `${talk.person.threadPath(talk.thread)}/compact`;
    expect([
      await talk.person.ask("POST", `${talk.person.threadPath("none")}/compact`),
      await talk.person.ask("POST", `${talk.person.threadPath("n".repeat(201))}/compact`),
      await stranger.ask("POST", path),
    ]).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND]);
    expect(await talk.summaryRequests()).toEqual([]);
  });

  it("is posted to", async ({ expect }) => {
    const person = somebody();
    const answer = await person.request(`${person.threadPath("t")}/compact`);
    expect([answer.status, answer.headers.get("allow"), await answer.json()]).toEqual([
      405,
      "POST",
      { error: "Method not allowed." },
    ]);
  });
});

describe("a thread is busy", () => {
  it("while one of its runs streams, and while another waits behind it", async ({ expect }) => {
    const talk = await threeTurns([holdMidStream("Four", "."), say("Five."), summary("They greet.")]);
    const live = await talk.start("Fourth words");
    await talk.model.reaches(4, "held");
    const waiting = await talk.start("Fifth words");
    expect(await talk.compact()).toEqual(BUSY);
    await talk.model.release();
    await talk.person.events(live.events);
    expect(theOnly(await talk.person.events(waiting.events), "run_end")).toMatchObject({ status: "completed" });
    expect(await talk.compact()).toMatchObject(OK);
  });

  it("while a run of it waits for a person, and is not any more as soon as that is over", async ({ expect }) => {
    const add = callTool("add-stock", { symbol: "AAPL" });
    const talk = await threeTurns([add, say("Added."), summary("They greet.")]);
    const { runId, events } = await talk.start("Add AAPL");
    const { requestId } = theOnly(await talk.person.eventsUntil(events, "run_status"), "permission_request");
    expect(await talk.compact()).toEqual(BUSY);
    await talk.person.decide(runId, requestId, { decision: "allow_once" });
    await talk.person.events(events);
    expect(await talk.compact()).toMatchObject(OK);
  });

  it("but not because of a run that died before it handed over", async ({ expect }) => {
    const talk = await threeTurns([say("Four."), summary("They greet.")]);
    planCrashes(talk.thread, ["before send session"]);
    await talk.person.follow((await talk.start("Fourth words")).events);
    await died(talk.thread);
    expect(await talk.compact()).toMatchObject(OK);
    expect(await talk.summaries()).toMatchObject([{ upToBlock: expect.any(Number) }]);
  });

  it("with another summary of it: one of two is made", async ({ expect }) => {
    const { answer, compact, model, summaries } = await whileSummarized([summary("Never asked for.")]);
    expect(await compact()).toEqual(BUSY);
    await model.release();
    expect(await answer).toMatchObject(OK);
    expect(await summaries()).toHaveLength(1);
    expect(await model.violations()).toEqual([]);
  });
});

describe("a turn that is posted while a summary is made", () => {
  it("waits for it, tells of it, and begins with it", async ({ expect }) => {
    const { answer, model, start, person, calls } = await whileSummarized([say("Four.")]);
    const turn = await start("Fourth words");
    const queued = await person.eventsUntil(turn.events, "user_message");
    expect(queued).toMatchObject([{ type: "run_queued", position: 1 }, { type: "user_message" }]);
    await model.release();
    expect(await answer).toMatchObject(OK);

    const events = await person.events(turn.events);
    const told = ["run_queued", "user_message", "run_start", "context_compacted", ...SUMMARIZED];
    expect(kinds(events)).toEqual(told);
    expect(theOnly(events, "context_compacted")).toMatchObject({ trigger: "manual", summary: "They greet." });
    expectWhole(events, "completed");
    const [first] = messagesOf((await calls()).at(-1));
    expect(first).toMatchObject({ role: "assistant", content: [{ type: "compaction", content: "They greet." }] });
    expect(await model.violations()).toEqual([]);
  });

  it("can be stopped before it begins; the next one tells of the summary", async ({ expect }) => {
    const { answer, model, start, person, turn } = await whileSummarized([say("Five.")]);
    const waiting = await start("Fourth words");
    expect(await person.abort(waiting.runId)).toMatchObject({ body: { status: "aborted" } });
    expect(kinds(await person.events(waiting.events))).toEqual(["run_queued", "user_message", "run_end"]);
    await model.release();
    expect(await answer).toMatchObject(OK);
    expect(theOnly(await turn("Fifth words"), "context_compacted")).toMatchObject({ trigger: "manual" });
  });
});

describe("whoever made a summary and died", () => {
  it("keeps the place while the reservation holds, and no longer", async ({ expect }) => {
    const talk = await threeTurns([say("Four."), summary("They greet.")]);
    await talk.handedOver();
    const session = env.SESSIONS.getByName(await talk.sessionId());
    await session.reserve(reservationId(Date.now() + 60_000, "dead"));
    const turn = await talk.start("Fourth words");
    expect(await talk.compact()).toEqual(BUSY);
    expect(await talk.person.view(turn.runId)).toMatchObject({ status: "queued" });
    await talk.inSession((sql) =>
      sql.exec("UPDATE queue SET run_id = ? WHERE run_id LIKE 'reserved:%'", reservationId(Date.now() - 1, "dead")),
    );
    await talk.sessionWakes();
    expect(theOnly(await talk.person.events(turn.events), "run_end")).toMatchObject({ status: "completed" });
    expect(await talk.compact()).toMatchObject(OK);
  });

  it("is not waited for by a summary that comes after it", async ({ expect }) => {
    const talk = await threeTurns([summary("They greet.")]);
    await talk.handedOver();
    const session = env.SESSIONS.getByName(await talk.sessionId());
    await session.reserve(reservationId(Date.now() - 1, "dead"));
    expect(await talk.compact()).toMatchObject(OK);
    expect(await talk.summaries()).toHaveLength(1);
  });

  it("keeps nothing when it comes back late: another one has the place", async ({ expect }) => {
    const { answer, model, start, person, inSession, sessionWakes, summaries } = await whileSummarized([say("Four.")]);
    await inSession((sql) => sql.exec("UPDATE queue SET run_id = ?", reservationId(Date.now() - 1, "dead")));
    const turn = await start("Fourth words");
    await sessionWakes();
    expectWhole(await person.follow(turn.events), "completed");
    await model.release();
    expect(await answer).toMatchObject({ status: 503 });
    expect(await summaries()).toEqual([]);
  });
});

it("a thread that is deleted while a summary of it is made is gone", async ({ expect }) => {
  const { answer, model, person, thread, compact, sessionId } = await whileSummarized([say("Hello.")]);
  const session = env.SESSIONS.getByName(await sessionId());
  expect(await person.ask("DELETE", person.threadPath(thread))).toEqual(OK);
  await model.release();
  expect(await answer).toMatchObject({ status: 503 });
  expect(await compact()).toEqual(NOT_FOUND);
  const left = await runInDurableObject(session, (_, { storage }) => [
    ...storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'"),
  ]);
  expect(left).toEqual([{ name: "tombstone" }]);
});
