/** The event stream of a run as bytes: its form, its cursors, its subscribers (api.md §3). */
import { describe, inject, it } from "vitest";
import { burst, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore, holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { parseFrames } from "../../support/workerd/run-client.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const BAD_CURSOR = { status: 400, body: { error: "Invalid event cursor." } };

/** The frames of a stream's text, unchanged; comments and `retry:` are left out. */
const framesOf = (text: string): string[] => text.split("\n\n").filter((frame) => frame.startsWith("id: "));

const readFrames = async (client: Somebody, path: string, headers: Record<string, string> = {}) =>
  framesOf(await (await client.request(path, { headers })).text());

/** A new person's turn, just started. */
const startedTurn = async (replies: readonly Reply[]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  return { model, client, runId: turn.runId, events: turn.events };
};

/** A turn that has ended, with its frames. */
const endedTurn = async (replies: readonly Reply[] = [say("One two three.", { deltas: 3 })]) => {
  const turn = await startedTurn(replies);
  const frames = await readFrames(turn.client, turn.events);
  return { ...turn, frames, last: frames.length };
};

/** A turn whose model holds in the middle of its text, with the frames up to there. */
const heldTurn = async () => {
  const turn = await startedTurn([holdMidStream("Before. ", "After.")]);
  const sofar = await turn.client.eventsUntil(turn.events, "text_delta");
  return { ...turn, sofar };
};

describe("the form of the stream", () => {
  it("is SSE that no proxy may hold back (api.md §3)", async ({ expect }) => {
    const { client, events } = await startedTurn([say("Hi.")]);
    const response = await client.request(events);
    await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-cache, no-transform");
    expect(response.headers.get("X-Accel-Buffering")).toBe("no");
  });

  it("begins with retry and a comment at once, before there is an event (api.md §3)", async ({ expect }) => {
    const { client, events } = await heldTurn();
    const response = await client.request(`${events}?after=999`);
    const reader = response.body?.getReader();
    const text = new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(text).toMatch(/^retry: 2000\n\n?:[^\n]*\n\n$/);
  });

  it("sends a comment after 10 s of silence (api.md §3)", async ({ expect }) => {
    const clock = shiftedClock();
    const { client, events } = await heldTurn();
    const response = await client.request(`${events}?after=999`);
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    clock.forward(10_000);
    const text = new TextDecoder().decode((await next)?.value);
    await reader?.cancel();
    expect(text).toMatch(/^:[^\n]*\n\n$/);
  });

  it("consists of frames of one id and one data line, numbered without a gap (api.md §3)", async ({ expect }) => {
    const { client, events } = await startedTurn([say("One two three.", { deltas: 3 })]);
    const text = await (await client.request(events)).text();
    expect(text).toMatch(/^retry: 2000\n\n?:[^\n]*\n\n(?:id: \d+\ndata: \{[^\n]*\}\n\n)+$/);
    const ids = framesOf(text).map((frame) => Number(/^id: (\d+)\n/.exec(frame)?.[1]));
    const received = parseFrames(text);
    expect(ids).toEqual(received.map((_, index) => index + 1));
    expect(received.map(({ seq }) => seq)).toEqual(ids);
    expect(received.map(({ at }) => at)).toEqual(received.map(({ at }) => new Date(at).toISOString()));
  });

  it("keeps line breaks and every character of a text inside its one data line (api.md §3)", async ({ expect }) => {
    const text = "one\ntwo\r\nthree\u2028four\u0000\n\ndata: five\n\nid: 6 💥";
    const { frames } = await endedTurn([say(text)]);
    const received = parseFrames(frames.map((frame) => `${frame}\n\n`).join(""));
    expect(received).toHaveLength(frames.length);
    expect(received.find(({ type }) => type === "message_end")).toMatchObject({ text });
  });
});

describe("a subscriber", () => {
  it("reads the same bytes live and from the log, also next to another one (api.md §3)", async ({ expect }) => {
    const { client, events } = await startedTurn([say("word ".repeat(400), { deltas: 40, delayMs: 3 })]);
    const live = await Promise.all([readFrames(client, events), readFrames(client, events)]);
    const replay = await readFrames(client, events);
    expect(live).toEqual([replay, replay]);
  });

  it("that joins a finished run at any cursor reads exactly what follows it (api.md §3)", async ({ expect }) => {
    const { client, events, frames } = await endedTurn();
    const suffixes = await Promise.all(frames.map((_, after) => readFrames(client, `${events}?after=${after}`)));
    expect(suffixes).toEqual(frames.map((_, after) => frames.slice(after)));
  });

  it("that joins a live run at any cursor reads exactly what follows it (api.md §3)", async ({ expect }) => {
    const { model, client, events, sofar } = await heldTurn();
    const streams = await Promise.all(
      [0, ...sofar.map(({ seq }) => seq)].map((after) => client.request(`${events}?after=${after}`)),
    );
    await model.release();
    const suffixes = await Promise.all(streams.map(async (stream) => framesOf(await stream.text())));
    const frames = await readFrames(client, events);
    expect(suffixes).toEqual(streams.map((_, after) => frames.slice(after)));
  });

  it("of a live run with a cursor beyond its last event reads later ones only (api.md §3)", async ({ expect }) => {
    const { model, client, events, sofar } = await heldTurn();
    const stream = await client.request(`${events}?after=999999999999999`);
    await model.release();
    const frames = framesOf(await stream.text());
    expect(frames).toEqual((await readFrames(client, events)).slice(sofar.length));
  });

  it("that is slow reads the same bytes, also of a run of several MB (api.md §3)", async ({ expect }) => {
    const text = "0123456789".repeat(20_000);
    const step = () => callTools([{ name: "navigate", input: { view: "chat" } }], { text });
    const { client, events } = await startedTurn([...Array.from({ length: 6 }, step), say(text, { deltas: 2_000 })]);
    const slow = await client.request(events);
    const quick = await readFrames(client, events);
    const late = framesOf(await slow.text());
    expect(late.join().length).toBeGreaterThan(2_500_000);
    expect(late).toEqual(quick);
  });

  it("that goes away does not stop the run (api.md §3)", async ({ expect }) => {
    const { model, client, events, runId } = await heldTurn();
    expect(await client.view(runId)).toMatchObject({ status: "running" });
    expect((await model.requests()).map(({ state }) => state)).toEqual(["held"]);
    await model.release();
    expect((await client.events(events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  });

  it("is one of at most 1,000: the next gets 503 with Retry-After (api.md §3)", async ({ expect }) => {
    const { client, events } = await startedTurn([holdBefore(say("Never."))]);
    const streams = await Promise.all(Array.from({ length: 1_000 }, () => client.request(events)));
    const refused = await client.request(events);
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    expect(refused.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(await answerOf(refused)).toEqual({ status: 503, body: { error: "The agent is unavailable. Try again." } });
    await Promise.all(streams.map((stream) => stream.body?.cancel()));
  });
});

describe("a cursor", () => {
  it("in Last-Event-ID beats the one in the query (api.md §3)", async ({ expect }) => {
    const { client, events, frames } = await endedTurn();
    expect(await readFrames(client, `${events}?after=1`, { "Last-Event-ID": "3" })).toEqual(frames.slice(3));
    expect(await readFrames(client, `${events}?after=3`, { "Last-Event-ID": "0" })).toEqual(frames);
  });

  it("in Last-Event-ID wins even when it is invalid (api.md §3)", async ({ expect }) => {
    const { client, events } = await endedTurn();
    const response = await client.request(`${events}?after=1`, { headers: { "Last-Event-ID": "one" } });
    expect(await answerOf(response)).toEqual(BAD_CURSOR);
  });

  it.for(["x", "-1", "%2B1", "1.5", "1e3", "0x1", "%201", "1%0A", "%D9%A1", "1,2", "null", "1".repeat(16)])(
    "is refused when it is not 1 to 15 digits: %s (api.md §3)",
    async (after, { expect }) => {
      const { client, events } = await endedTurn();
      expect(await client.ask("GET", `${events}?after=${after}`)).toEqual(BAD_CURSOR);
    },
  );

  it.for(["1".repeat(16), "-1", "1e3"])("is refused in Last-Event-ID, too: %s (api.md §3)", async (id, { expect }) => {
    const { client, events } = await endedTurn();
    const response = await client.request(events, { headers: { "Last-Event-ID": id } });
    expect(await answerOf(response)).toEqual(BAD_CURSOR);
  });

  it("is 0 when `after` is empty, and may have leading zeros (api.md §3)", async ({ expect }) => {
    const { client, events, frames } = await endedTurn();
    expect(await readFrames(client, `${events}?after=`)).toEqual(frames);
    expect(await readFrames(client, `${events}?after=000000000000002`)).toEqual(frames.slice(2));
  });

  it("at or beyond the end of a finished run is answered 204 (api.md §3)", async ({ expect }) => {
    const { client, events, frames, last } = await endedTurn();
    const at = async (after: number | string) => client.ask("GET", `${events}?after=${after}`);
    expect(await at(last)).toEqual({ status: 204, body: null });
    expect(await at(last + 1)).toEqual({ status: 204, body: null });
    expect(await at("9".repeat(15))).toEqual({ status: 204, body: null });
    expect(await readFrames(client, `${events}?after=${last - 1}`)).toEqual(frames.slice(-1));
  });
});

describe("a burst", () => {
  it("of 2,000 deltas is merged into few frames (api.md §3)", async ({ expect }) => {
    const { frames } = await endedTurn([burst(2_000)]);
    const text = frames.map((frame) => `${frame}\n\n`).join("");
    expect(parseFrames(text).find(({ type }) => type === "message_end")).toMatchObject({ text: "word ".repeat(2_000) });
    expect(frames.length).toBeLessThan(200);
  });
});
