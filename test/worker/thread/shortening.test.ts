/** A conversation that is too long and cannot be summarized: what is left out, and that it is left out once. */
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, say, summary, think, thought, toolUse } from "../../support/model-script.ts";
import { holdBefore, promptTooLong } from "../../support/model-troubles.ts";
import { type Body, chat, messagesOf } from "../../support/workerd/chat.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";

/** 40 KB, and its number in each line. */
const page = (nth: number) => `page ${nth} ${"x".repeat(70)}\n`.repeat(500);

const PAGES = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((nth) => [`${nth}.txt`, page(nth)]));

const read = (nth: number) =>
  message([thought(`I read ${nth}.`), toolUse({ name: "read_file", input: { path: `${nth}.txt` } })]);

/** Where each request fails to begin with the one before; `null` where it does not. */
const differences = (calls: readonly Body[]) =>
  calls.slice(1).map((call, index) => whereItDiffers(calls[index] ?? {}, call)?.path ?? null);

const sizeOf = (call: Body | undefined): number => JSON.stringify(messagesOf(call)).length;

/** Which of the pages a request holds whole. */
const pagesIn = (call: Body | undefined): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter((nth) => JSON.stringify(messagesOf(call)).includes(`page ${nth} xxx`));

const DROPS = { prefix_mismatch_behavior: "drop_block" };

/** Tells of a part that was left out. */
const leftOut = (call: Body | undefined): boolean => JSON.stringify(messagesOf(call)).includes("are left out here");

describe("a turn whose request the provider finds too long", () => {
  it("continues with a shorter one at once, and is not refused again; neither is the next turn", async ({ expect }) => {
    const reads = [read(1), read(2), read(3), read(4), promptTooLong(), read(5)];
    const replies = [think("a", "One."), ...reads, think("b", "Read."), read(6), think("c", "Done.")];
    const talk = await chat(replies, PAGES);
    await talk.turn("First words");
    const events = await talk.turn("Read them");
    const next = await talk.turn("One more");
    expectWhole(events, "completed");
    expectWhole(next, "completed");
    expect(kinds([...events, ...next])).not.toContain("model_retry");

    const calls = await talk.calls();
    // The sixth is refused; the seventh has other results from the first page on, which stands behind the second prompt.
    expect(differences(calls)).toEqual([null, null, null, null, null, "messages.4.content.0", null, null, null]);
    const held = calls.map((call) => pagesIn(call).join(""));
    expect(held).toEqual(["", "", "1", "12", "123", "1234", "4", "45", "45", "456"]);
    expect(sizeOf(calls[6])).toBeLessThan(sizeOf(calls[5]) / 2);
    expect(await talk.drops()).toEqual([...Array(6).fill(false), ...Array(4).fill(true)]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("continues likewise with a model of which nothing is known, but which has thought unasked", async ({ expect }) => {
    const asks = message([thought("I add."), toolUse({ name: "add-stock", input: { symbol: "AAPL" } })]);
    const talk = await chat(
      [think("a", "One."), asks, read(1), read(2), promptTooLong(), read(3), think("b", "Read.")],
      PAGES,
    );
    await talk.turns("First words");
    const { runId, events } = await talk.start("Add it and read them");
    await talk.person.eventsUntil(events, "permission_request");
    await talk.withFacts(runId, { hasAdaptiveThinking: false, canCompact: false });
    const seen = await talk.person.followAllowing(runId);
    expectWhole(seen, "completed");
    expect(kinds(seen)).not.toContain("context_reset");
    // It is asked to think only from where the provider has to drop what no longer fits.
    const asked = (await talk.calls()).map(({ thinking }) => Object(thinking).block_binding ?? thinking);
    expect(asked.slice(2)).toEqual([undefined, undefined, undefined, ...Array(2).fill(DROPS)]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("of seven long pages leaves out the oldest pages, and nothing that was said", async ({ expect }) => {
    const reads = [1, 2, 3, 4, 5, 6, 7].map(read);
    const replies = [
      think("a", "One."),
      think("b", "Two."),
      ...reads,
      promptTooLong(),
      say("All read."),
      say("Later."),
    ];
    const talk = await chat(replies, PAGES);
    await talk.turns("First words", "Second words", "Read all of them", "And now?");
    const [short, later] = (await talk.calls()).slice(-2);
    const said = ["First words", "One.", "Second words", "Two.", "Read all of them"];
    const sent = JSON.stringify(messagesOf(short));
    expect(said.filter((text) => !sent.includes(text))).toEqual([]);
    expect([leftOut(short), pagesIn(short)]).toEqual([false, [5, 6, 7]]);
    expect(sent.split("[result removed]")).toHaveLength(4 + 1);
    // Each call is still there, with its result's place.
    expect(sent.split('"type":"tool_result"')).toHaveLength(7 + 1);
    expect(whereItDiffers(short ?? {}, later ?? {})).toBeUndefined();
    expect(await talk.model.violations()).toEqual([]);
  });

  it("asks the same when its object dies before there is an answer", async ({ expect }) => {
    const reads = [read(1), read(2), read(3)];
    const held = holdBefore(say("Never said."));
    const talk = await chat([...reads, promptTooLong(), held, say("Read."), say("Later.")], PAGES);
    const turn = await talk.start("Read them");
    await talk.model.reaches(5, "held");
    await abortAllDurableObjects();
    expectWhole(await talk.person.follow(turn.events), "completed");
    await talk.turn("And now?");
    const [before, after, later] = (await talk.calls()).slice(-3);
    expect([whereItDiffers(before ?? {}, after ?? {}), sizeOf(before)]).toEqual([undefined, sizeOf(after)]);
    expect(whereItDiffers(after ?? {}, later ?? {})).toBeUndefined();
    expect(await talk.model.violations()).toEqual([]);
  });

  it("leaves out whole turns from the oldest on, and says the project's rules again", async ({ expect }) => {
    const long = "Many words. ".repeat(3_000);
    const replies = [think("a", "One."), think("b", "Two."), promptTooLong(), think("c", "Three."), say("Four.")];
    const talk = await chat(replies, { "AGENTS.md": "Always say moin." });
    await talk.turns(`First ${long}`, `Second ${long}`);
    expectWhole(await talk.turn("Third words"), "completed");
    await talk.turn("Fourth words");
    const [, , , short, later] = await talk.calls();
    expect(leftOut(short)).toBe(true);
    const sent = JSON.stringify(messagesOf(short));
    expect(["First Many", "Second Many", "Third words"].map((text) => sent.includes(text))).toEqual([
      false,
      false,
      true,
    ]);
    expect(sent.split("Always say moin.")).toHaveLength(2);
    expect(whereItDiffers(short ?? {}, later ?? {})).toBeUndefined();
    expect(await talk.model.violations()).toEqual([]);
  });

  it("fails when nothing more can be left out; the thread continues", async ({ expect }) => {
    const talk = await chat([think("a", "One."), promptTooLong(), promptTooLong(), say("Here.")]);
    await talk.turn("First words");
    expect(theOnly(await talk.turn("Second words"), "run_end")).toMatchObject({
      status: "failed",
      error: { code: "context_too_long" },
    });
    expectWhole(await talk.turn("Third words"), "completed");
    const sent = JSON.stringify(messagesOf((await talk.calls()).at(-1)));
    // The provider never accepted the turn, so what was left out for it is sent again, and the turn is not.
    expect(sent).toMatch(/First words.*One\..*left out here, because it was too long.*Third words/);
    expect(sent).not.toContain("Second words");
    expect(await talk.model.violations()).toEqual([]);
  });
});

describe("a turn that is found too long whatever is left out", () => {
  it("takes nothing from the thread: the next turn is sent all of it", async ({ expect }) => {
    const talk = await chat([promptTooLong(), say("Here.")]);
    expect(theOnly(await talk.turn("First words"), "run_end")).toMatchObject({ error: { code: "context_too_long" } });
    expectWhole(await talk.turn("Second words"), "completed");
    expect(JSON.stringify(messagesOf((await talk.calls()).at(-1)))).toMatch(/First words.*Second words/);
  });
});

describe("a model with a window of 200,000 tokens that cannot summarize", () => {
  it("is sent only what fits, from its first request on; the cut stays for the next turn", async ({ expect }) => {
    const long = "Many words. ".repeat(16_000);
    const third = holdBefore(think("c", "Three."));
    const talk = await chat([think("a", "One."), think("b", "Two."), third, think("d", "Four."), say("Five.")]);
    await talk.turns(`First ${long}`, `Second ${long}`);
    await talk.start(`Third ${long}`);
    const fourth = await talk.start("Fourth words");
    await talk.withFacts(fourth.runId, { contextTokens: 200_000, canCompact: false });
    await talk.model.release();
    expectWhole(await talk.person.follow(fourth.events), "completed");
    await talk.turn("Fifth words");

    const [, , whole, short, later] = await talk.calls();
    expect([sizeOf(whole) > 560_000, sizeOf(short) < 210_000]).toEqual([true, true]);
    expect([leftOut(short), JSON.stringify(short).includes("Third Many")]).toEqual([true, true]);
    expect(whereItDiffers(short ?? {}, later ?? {})).toBeUndefined();
    expect(await talk.summaryRequests()).toEqual([]);
    expect(await talk.model.violations()).toEqual([]);
  });
});

it("a conversation whose results were left out is summarized without them, and goes on", async ({ expect }) => {
  const [first, third] = [[1, 2, 3].map(read), [4, 5, 6].map(read)];
  const replies = [...first, say("One."), say("Two."), ...third, promptTooLong(), say("Three.")];
  const talk = await chat(
    [...replies, say("Four.", { usage: { input: 50_000 } }), summary("They read."), say("Five.")],
    PAGES,
  );
  await talk.turns("First words", "Second words", "Third words", "Fourth words");
  const { status, body } = await talk.compact();
  expect((await talk.summaryRequests()).map(pagesIn)).toEqual([[]]);
  expect([status, Object(body).tokensAfter > 25_000]).toEqual([200, true]);
  const fifth = await talk.turn("Fifth words");
  expectWhole(fifth, "completed");
  expect(theOnly(fifth, "context_compacted")).toMatchObject({ tokensAfter: Object(body).tokensAfter });
  expect(await talk.model.violations()).toEqual([]);
});
