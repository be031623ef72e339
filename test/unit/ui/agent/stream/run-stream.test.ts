/** Following a run through what networks, servers and pages do to a stream (api.md §3). */
import { expect, it } from "vitest";
import { frames, numbered, runEnd, runStart, textDelta, userMessage } from "../support/events.ts";
import { type Followed, follow, STALL_MS } from "../support/follow.ts";
import { cutStream, OURS, status, stream, streamToEnd } from "../support/stream-server.ts";

const LOG = numbered([
  runStart(),
  userMessage("Grüße 👋🏽 an dich"),
  textDelta("m1", "Ä"),
  textDelta("m1", "ö"),
  runEnd(),
]);

const closed = async (followed: Followed): Promise<Followed> => {
  await followed.until(() => followed.states.at(-1)?.startsWith("closed") === true);
  return followed;
};

/** Waits until it waits, and ends the wait. */
const wait = async ({ until, states, world }: Followed, ms: number): Promise<void> => {
  await until(() => states.at(-1) === "waiting");
  world.advance(ms);
};

it("hands over a finished run and closes", async () => {
  const { seqs, states, server, world } = await closed(await follow([streamToEnd(frames(LOG))]));
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
  expect(states).toEqual(["connecting", "open", "closed: ended"]);
  expect(server.requests).toEqual(["/run/events?after=0"]);
  expect(world.waitsMs).toEqual([]);
  expect(world.listenerCount).toBe(0);
});

it("reads CRLF, comments, and characters and frames that are cut into single bytes", async () => {
  const bytes = Buffer.from(`: hello\r\n\r\n${frames(LOG).replaceAll("\n", "\r\n")}`);
  const followed = await follow([streamToEnd(...[...bytes].map((byte) => new Uint8Array([byte])))]);
  expect((await closed(followed)).seqs).toEqual([1, 2, 3, 4, 5]);
});

it("goes on from its cursor when the connection is cut in the middle of a frame", async () => {
  const text = frames(LOG);
  const followed = await follow([
    cutStream(text.slice(0, text.indexOf("id: 4") + 20)),
    streamToEnd(frames(LOG.slice(3))),
  ]);
  await wait(followed, 100);
  const { seqs, states, server } = await closed(followed);
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
  expect(states).toEqual(["connecting", "open", "waiting", "connecting", "open", "closed: ended"]);
  expect(server.requests).toEqual(["/run/events?after=0", "/run/events?after=3"]);
});

it.each([
  [10_001, ["connecting", "open", "connecting", "open", "closed: ended"]],
  [10_000, ["connecting", "open", "waiting", "connecting", "open", "closed: ended"]],
])(
  "comes back to a stream that the server ends, at once if it was open for more than 10 s: %i ms",
  async (ms, told) => {
    const followed = await follow([stream(frames(LOG.slice(0, 2))), streamToEnd(frames(LOG.slice(2)))]);
    await followed.until(() => followed.seqs.length === 2);
    followed.world.advance(ms);
    followed.server.answers[0]?.end();
    await followed.until(() => followed.states.length > 2);
    if (followed.states.at(-1) === "waiting") followed.world.advance(2_000);
    const { seqs, states } = await closed(followed);
    expect(seqs).toEqual([1, 2, 3, 4, 5]);
    expect(states).toEqual(told);
  },
);

it("passes over events that it has", async () => {
  const followed = await follow([streamToEnd(frames(LOG.slice(0, 3)), frames(LOG.slice(1, 3)), frames(LOG.slice(2)))]);
  expect((await closed(followed)).seqs).toEqual([1, 2, 3, 4, 5]);
});

it("asks again from its cursor at a gap, without what is behind it", async () => {
  const followed = await follow([
    stream(frames(LOG.slice(0, 2)), frames(LOG.slice(3))),
    streamToEnd(frames(LOG.slice(2))),
  ]);
  await wait(followed, 100);
  const { seqs, server } = await closed(followed);
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
  expect(server.requests).toEqual(["/run/events?after=0", "/run/events?after=2"]);
});

it("gives up on a stream that stays unreadable", async () => {
  const followed = await follow([stream("id: 1\ndata: nonsense\n\n")]);
  await wait(followed, 100);
  await wait(followed, 200);
  await wait(followed, 400);
  expect((await closed(followed)).states.at(-1)).toBe("closed: refused");
});

it("waits as long as Retry-After asks for", async () => {
  const followed = await follow([status(503, { "Retry-After": "7" }), streamToEnd(frames(LOG))]);
  await followed.until(() => followed.states.at(-1) === "waiting");
  expect(followed.world.waitsMs).toEqual([7_000]);
  followed.world.advance(7_000);
  expect((await closed(followed)).seqs).toEqual([1, 2, 3, 4, 5]);
});

it("waits longer with each failure, up to a bound", async () => {
  const followed = await follow([status(500)]);
  const waits: number[] = [];
  const fail = async () => {
    await followed.until(() => followed.states.at(-1) === "waiting");
    waits.push(...followed.world.waitsMs);
    followed.world.advance(20_000);
  };
  await fail();
  await fail();
  await fail();
  await fail();
  await fail();
  await fail();
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
});

it.each([
  [204, "closed: ended"],
  [400, "closed: refused"],
  [403, "closed: refused"],
  [401, "closed: signed_out"],
  [404, "closed: not_found"],
  [410, "closed: expired"],
])("closes at once for %i of the server's", async (code, state) => {
  const { states, server } = await closed(await follow([status(code, OURS)], 5));
  expect(states).toEqual(["connecting", state]);
  expect(server.requests).toEqual(["/run/events?after=5"]);
});

it.each([403, 404])("comes back after a %i of something in between", async (code) => {
  const followed = await follow([status(code), streamToEnd(frames(LOG))]);
  await followed.until(() => followed.states.length > 1);
  expect(followed.states.at(-1)).toBe("waiting");
  followed.world.advance(2_000);
  const { seqs, states } = await closed(followed);
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
  expect(states).toEqual(["connecting", "waiting", "connecting", "open", "closed: ended"]);
});

it("takes a connection that is silent for too long for dead", async () => {
  const followed = await follow([stream(frames(LOG.slice(0, 2))), streamToEnd(frames(LOG.slice(2)))]);
  await followed.until(() => followed.seqs.length === 2);
  followed.world.advance(STALL_MS);
  await wait(followed, 100);
  const { seqs, states } = await closed(followed);
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
  expect(states).toEqual(["connecting", "open", "waiting", "connecting", "open", "closed: ended"]);
});

it("takes a request that nobody answers for dead", async () => {
  const followed = await follow([() => {}, streamToEnd(frames(LOG))]);
  await followed.server.requested(1);
  followed.world.advance(STALL_MS);
  await wait(followed, 2_000);
  expect((await closed(followed)).seqs).toEqual([1, 2, 3, 4, 5]);
});

/** A follower of a stream that is open, has brought three events, and gets a fourth 20 s after its page was hidden. */
const hiddenFor20s = async (): Promise<Followed> => {
  const followed = await follow([stream(frames(LOG.slice(0, 3))), streamToEnd(frames(LOG.slice(3)))]);
  await followed.until(() => followed.seqs.length === 3);
  followed.world.hide();
  followed.world.advance(20_000);
  followed.server.answers[0]?.write(frames(LOG.slice(3, 4)));
  await followed.until(() => followed.seqs.length === 4);
  return followed;
};

it("stays connected through a short look elsewhere", async () => {
  const { world, states, server } = await hiddenFor20s();
  world.advance(9_999);
  world.show();
  world.advance(1);
  expect(states).toEqual(["connecting", "open"]);
  expect(server.requests).toEqual(["/run/events?after=0"]);
  expect(world.waitsMs).toEqual([STALL_MS - 10_000]);
});

it("leaves a hidden page after 30 seconds, costs nothing there, and goes on from its cursor", async () => {
  const followed = await hiddenFor20s();
  const { world, states, server } = followed;
  world.advance(9_999);
  expect(states.at(-1)).toBe("open");
  world.advance(1);
  expect(states.at(-1)).toBe("paused");
  expect(world.waitsMs).toEqual([]);
  world.show();
  expect((await closed(followed)).seqs).toEqual([1, 2, 3, 4, 5]);
  expect(states).toEqual(["connecting", "open", "paused", "connecting", "open", "closed: ended"]);
  expect(server.requests).toEqual(["/run/events?after=0", "/run/events?after=4"]);
});

it("leaves at once where a hidden page is put to sleep, and where its network is another", async () => {
  const phone = await follow([stream(frames(LOG.slice(0, 3)))]);
  await phone.until(() => phone.seqs.length === 3);
  phone.world.isPhoneThatSleeps = true;
  phone.world.hide();
  expect([phone.states.at(-1), phone.world.waitsMs]).toEqual(["paused", []]);
  const moved = await hiddenFor20s();
  moved.world.goOnline();
  expect([moved.states.at(-1), moved.world.waitsMs]).toEqual(["paused", []]);
});

it("makes no new connection for a hidden page", async () => {
  const followed = await follow([stream(frames(LOG.slice(0, 3))), streamToEnd(frames(LOG.slice(3)))]);
  await followed.until(() => followed.seqs.length === 3);
  followed.world.hide();
  followed.server.answers[0]?.destroy();
  await followed.until(() => followed.states.at(-1) === "paused");
  expect(followed.world.waitsMs).toEqual([]);
});

it("does not wait any longer once the network is back", async () => {
  const followed = await follow([status(500), streamToEnd(frames(LOG))]);
  await followed.until(() => followed.states.at(-1) === "waiting");
  followed.world.goOnline();
  expect((await closed(followed)).seqs).toEqual([1, 2, 3, 4, 5]);
});

it("leaves a connection of the network before when the network is another", async () => {
  const followed = await follow([stream(frames(LOG.slice(0, 1))), streamToEnd(frames(LOG.slice(1)))]);
  await followed.until(() => followed.seqs.length === 1);
  followed.world.goOnline();
  const { seqs, states } = await closed(followed);
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
  expect(states).toEqual(["connecting", "open", "connecting", "open", "closed: ended"]);
});

it("hands over nothing after it was stopped", async () => {
  const followed = await follow([stream(frames(LOG.slice(0, 1)))]);
  const { seqs, states, server, world } = followed;
  await followed.until(() => seqs.length === 1);
  world.holdsFrames = true;
  server.answers[0]?.write(frames(LOG.slice(1, 2)));
  await expect.poll(() => world.heldFrameCount).toBe(1);
  followed.stream.stop();
  server.answers[0]?.write(frames(LOG.slice(2)));
  world.goOnline();
  await server.left();
  world.showFrame();
  expect(seqs).toEqual([1]);
  expect(states).toEqual(["connecting", "open", "closed: stopped"]);
  expect(world.asked).toHaveLength(1);
  expect(world.listenerCount).toBe(0);
  expect(world.waitsMs).toEqual([]);
});

it("hands over a burst of 2,000 deltas with the next frame, and what the end brings at once", async () => {
  const burst = numbered([...Array.from({ length: 2_000 }, () => textDelta("m1", "word ")), runEnd()]);
  const followed = await follow([streamToEnd(frames(burst.slice(0, 1_500))), streamToEnd(frames(burst.slice(1_500)))]);
  const { batches, world } = followed;
  world.holdsFrames = true;
  await followed.until(() => followed.states.at(-1) === "waiting");
  expect(batches).toEqual([]);
  world.showFrame();
  expect(batches).toEqual([1_500]);
  world.advance(100);
  await closed(followed);
  expect(batches).toEqual([1_500, 501]);
});
