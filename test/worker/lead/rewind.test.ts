/** `POST /_framework/threads/<thread_id>/rewind`: a person goes back in a chat (api.md §2). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { z } from "zod";
import { whereItDiffers } from "../../support/append-only.ts";
import { callTool, message, say, summary, think, thought, toCompaction, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { chat, messagesOf } from "../../support/workerd/chat.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { endListed } from "../../support/workerd/handed-over.ts";
import { ofType } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { startMeter } from "../cost/cost-meter.ts";

const Runs = z.object({
  runs: z.array(z.looseObject({ runId: z.string(), replaced: z.boolean().optional() })),
});

const OK = { status: 200, body: { ok: true } };
const BUSY = { status: 409, body: { error: "The thread is busy." } };

/** What one mark writes: its row, and one in each of its two indexes. */
const ROWS_OF_A_MARK = 3;

/** A chat that has had turns, with what goes back in it. */
const talkOf = async (replies: readonly Reply[], ...texts: readonly string[]) => {
  const talk = await chat(replies);
  const { person, thread } = talk;
  for (const text of texts) await talk.allowed(text);
  await talk.handedOver();
  const runs = async () => Runs.parse((await person.ask("GET", `${person.threadPath(thread)}/runs`)).body).runs;
  return {
    ...talk,
    runs,
    /** Goes back to before the nth run, from 1. */
    rewind: async (nth: number, by = person) =>
      await by.ask("POST", `${by.threadPath(thread)}/rewind`, { beforeRunId: (await runs())[nth - 1]?.runId }),
    /** Which runs are replaced, in order. */
    replaced: async () => (await runs()).map(({ replaced }) => replaced),
  };
};

const thinks = (text: string) => think(`About ${text}`, text);

/** A turn that thinks, reads, thinks again and speaks. */
const reading = (text: string): Reply[] => [
  message([thought(`Look for ${text}`), toolUse({ name: "list-stocks", input: {} })]),
  thinks(text),
];

describe("going back in a chat", () => {
  it("replaces that run and all after it: they can be read, and the next turn is sent what came before", async ({
    expect,
  }) => {
    const talk = await talkOf(
      [...reading("One."), ...reading("Two."), thinks("Three."), thinks("Other."), thinks("Last.")],
      ...["First words", "Second words", "Third words"],
    );
    expect(await talk.rewind(2)).toEqual(OK);
    expect(await talk.replaced()).toEqual([undefined, true, true]);
    // Asked again, it changes nothing.
    expect(await talk.rewind(2)).toEqual(OK);
    expect(await talk.replaced()).toEqual([undefined, true, true]);
    const [, second] = await talk.runs();
    expectWhole(await talk.person.events(`/_framework/runs/${second?.runId}/events`), "completed");

    expectWhole(await talk.turn("Other words"), "completed");
    expectWhole(await talk.turn("Last words"), "completed");
    const calls = await talk.calls();
    const [, endOfFirst, , , , other, last] = calls;
    expect(whereItDiffers(endOfFirst ?? {}, other ?? {})).toBeUndefined();
    expect(whereItDiffers(other ?? {}, last ?? {})).toBeUndefined();
    expect(JSON.stringify(other)).not.toContain("Second words");
    expect(JSON.stringify(other)).not.toContain("Third words");
    // Thinking of the first turn is behind the same words as when it was made.
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.replaced()).toEqual([undefined, true, true, undefined, undefined]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("asked again, writes nothing to the list of runs; asked for more, only what is more", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), thinks("Two."), thinks("Three.")], "First", "Second", "Third");
    expect(await talk.rewind(2)).toEqual(OK);
    const ids = (await talk.runs()).map(({ runId }) => runId);
    // The list is told of a run's end after the session.
    for (const runId of ids) await endListed(runId);
    const meter = await startMeter();
    expect(await talk.rewind(2)).toEqual(OK);
    expect(await meter.d1(ids)).toMatchObject({ rowsWritten: 0 });
    expect(await talk.rewind(1)).toEqual(OK);
    expect((await meter.d1(ids)).rowsWritten).toBe(ROWS_OF_A_MARK);
    expect(await talk.replaced()).toEqual([true, true, true]);
  });

  it("to before its first message begins anew", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), thinks("Two."), thinks("New.")], "First words", "Second words");
    expect(await talk.rewind(1)).toEqual(OK);
    await talk.turn("New words");
    const messages = messagesOf((await talk.calls()).at(-1));
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).toContain("New words");
    expect(await talk.model.violations()).toEqual([]);
  });

  it("drops a summary that covers what is replaced, and sends what else it covered whole again", async ({ expect }) => {
    const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });
    const talk = await talkOf(
      [thinks("One."), thinks("Two."), thinks("Three."), long, summary("They greet."), thinks("Five."), thinks("Six.")],
      ...["First words", "Second words", "Third words", "Fourth words", "Fifth words"],
    );
    expect(await talk.summaries()).toHaveLength(1);
    // The summary covers the first two.
    expect(await talk.rewind(2)).toEqual(OK);
    expectWhole(await talk.turn("Sixth words"), "completed");
    const calls = await talk.calls();
    expect(whereItDiffers(calls[0] ?? {}, calls.at(-1) ?? {})).toBeUndefined();
    expect(JSON.stringify(calls.at(-1))).not.toContain("They greet.");
    expect(await talk.summaryRequests()).toHaveLength(1);
    // It stays in the store, for the export.
    expect(await talk.summaries()).toHaveLength(1);
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("keeps a summary of what came before", async ({ expect }) => {
    const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });
    const talk = await talkOf(
      [thinks("One."), thinks("Two."), thinks("Three."), long, summary("They greet."), thinks("Five."), thinks("Six.")],
      ...["First words", "Second words", "Third words", "Fourth words", "Fifth words"],
    );
    expect(await talk.rewind(4)).toEqual(OK);
    expectWhole(await talk.turn("Sixth words"), "completed");
    const last = (await talk.calls()).at(-1);
    expect(JSON.stringify(last)).toContain("They greet.");
    expect(JSON.stringify(last)).toContain("Third words");
    expect(JSON.stringify(last)).not.toContain("Fourth words");
    // The size of what is gone is not taken for that of what is left.
    expect(await talk.summaryRequests()).toHaveLength(1);
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("drops a summary by hand as well, which the next turn then does not tell of", async ({ expect }) => {
    const third = message([thought("c"), { type: "text", text: "Three." }], { usage: { input: 50_000 } });
    const talk = await talkOf(
      [thinks("One."), thinks("Two."), third, summary("They greet."), thinks("Four.")],
      ...["First words", "Second words", "Third words"],
    );
    expect(await talk.compact()).toMatchObject({ status: 200 });
    expect(await talk.summaries()).toHaveLength(1);
    expect(await talk.rewind(1)).toEqual(OK);
    const events = await talk.turn("Fourth words");
    expectWhole(events, "completed");
    expect(kinds(events)).not.toContain("context_compacted");
    // But pays for.
    expect(ofType(events, "message_discard")).toMatchObject([{ usage: { outputTokens: 5 } }]);
    expect(JSON.stringify((await talk.calls()).at(-1))).not.toContain("They greet.");
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is refused while a summary by hand is made, which then holds", async ({ expect }) => {
    const third = message([thought("c"), { type: "text", text: "Three." }], { usage: { input: 50_000 } });
    const talk = await talkOf(
      [thinks("One."), thinks("Two."), third, toCompaction(holdBefore(summary("They greet."))), thinks("Four.")],
      ...["First words", "Second words", "Third words"],
    );
    const compacted = talk.compact();
    await talk.model.reaches(4, "held");
    expect(await talk.rewind(1)).toEqual(BUSY);
    await talk.model.release();
    expect(await compacted).toMatchObject({ status: 200 });
    expectWhole(await talk.turn("Fourth words"), "completed");
    expect(JSON.stringify((await talk.calls()).at(-1))).toContain("They greet.");
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is refused while a run lives or waits, and the run is not touched", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), holdBefore(thinks("Two.")), thinks("Three.")], "First words");
    const second = await talk.start("Second words");
    await talk.model.reaches(2, "held");
    const third = await talk.start("Third words");
    expect(await talk.rewind(1)).toEqual(BUSY);
    expect(await talk.rewind(3)).toEqual(BUSY);
    await talk.model.release();
    expectWhole(await talk.person.follow(second.events), "completed");
    expectWhole(await talk.person.follow(third.events), "completed");
    expect(await talk.replaced()).toEqual([undefined, undefined, undefined]);
  });

  it.for([1, 2, 3, 4])("at the same moment as a turn: one of both comes first (%i)", async (round, { expect }) => {
    const held = holdBefore(thinks("Three."));
    const talk = await talkOf([thinks("One."), thinks("Two."), held], "First words", "Second words");
    const [, second] = await talk.runs();
    const { person, thread } = talk;
    const rewind = () => person.ask("POST", `${person.threadPath(thread)}/rewind`, { beforeRunId: second?.runId });
    const later = async <Result>(act: () => Promise<Result>) => {
      for (let turns = 0; turns < round * 5; turns += 1) await Promise.resolve();
      return await act();
    };
    const [rewound, turn] = await Promise.all([rewind(), later(() => talk.start("Third words"))]);
    await talk.model.release();
    expectWhole(await talk.person.follow(turn.events), "completed");
    const isRewound = rewound.status === 200;
    expect(rewound).toEqual(isRewound ? OK : BUSY);
    expect(await talk.replaced()).toEqual([undefined, isRewound ? true : undefined, undefined]);
    expect(JSON.stringify((await talk.calls()).at(-1)).includes("Second words")).toBe(!isRewound);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is told to the lists when the session has died before it could", async ({ expect }) => {
    const talk = await talkOf([thinks("One."), thinks("Two.")], "First words", "Second words");
    // As a session leaves it that died between its own commit and the lists.
    const [, second] = await talk.runs();
    await talk.rewind(2);
    await env.DB.prepare("DELETE FROM run_marks WHERE run_id = ?").bind(second?.runId).run();
    expect(await talk.replaced()).toEqual([undefined, undefined]);
    const told = JSON.stringify({ ownerEmail: talk.person.email, threadId: talk.thread, runIds: [second?.runId] });
    await runInDurableObject(env.SESSIONS.getByName(await talk.sessionId()), (_, { storage }) => {
      storage.sql.exec("UPDATE rewind SET told = ?", told);
    });
    await talk.sessionWakes();
    expect(await talk.replaced()).toEqual([undefined, true]);
  });

  it.for<CrashPoint>(["before reserve", "before rewind", "after rewind", "before finish"])(
    "is whole when the session dies %s",
    async (point, { expect }) => {
      const talk = await talkOf([thinks("One."), thinks("Two."), thinks("New.")], "First words", "Second words");
      planCrashes("session", [point]);
      expect(await talk.rewind(2)).toEqual(OK);
      expect(await talk.replaced()).toEqual([undefined, true]);
      await died("session");
      await talk.turn("New words");
      expect(JSON.stringify((await talk.calls()).at(-1))).not.toContain("Second words");
    },
  );

  it("is refused for what is not there, or is somebody else's", async ({ expect }) => {
    const talk = await talkOf([callTool("list-stocks", {}), say("One.")], "First words");
    const path = `${talk.person.threadPath(talk.thread)}/rewind`;
    const ask = (body: unknown, at = path, by = talk.person) => by.ask("POST", at, body);
    const noRun = { status: 404, body: { error: "Run not found." } };
    const noThread = { status: 404, body: { error: "Thread not found." } };
    const [run] = await talk.runs();
    expect(await ask({ beforeRunId: crypto.randomUUID() })).toEqual(noRun);
    expect(await ask({ beforeRunId: run?.runId }, "/_framework/threads/other/rewind")).toEqual(noThread);
    expect(await ask({ beforeRunId: run?.runId }, path, somebody())).toEqual(noThread);
    expect(await ask({ beforeRunId: "x" })).toEqual(noRun);
    const told = (error: string) => ({ status: 400, body: { error } });
    expect(await ask({ beforeRunId: 5 })).toEqual(told("beforeRunId: use the id of a run of this chat."));
    expect(await ask({ beforeRunId: run?.runId, at: 1 })).toEqual(told("at: unknown field, leave it out"));
    expect(await talk.replaced()).toEqual([undefined]);
  });
});
