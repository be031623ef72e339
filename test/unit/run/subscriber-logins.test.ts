/** Streams of log-ins that are revoked while they are open. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { STREAM_PRELUDE } from "../../../src/run/stream/sse.ts";
import { Subscribers } from "../../../src/run/stream/subscribers.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

const stays = new AbortController().signal;

/** A run without events, and the log-ins that still count. `asked` holds what was asked about, question by question. */
const startRun = (live: Set<string>) => {
  const subscribers = new Subscribers({ read: () => undefined, isOver: () => false }, Date.now);
  const asked: (readonly string[])[] = [];
  const findLive = async (ids: readonly string[]) => {
    asked.push(ids);
    if (live.has("D1 is away")) throw new Error("D1 is away");
    if (live.has("D1 is silent")) return await new Promise<never>(() => undefined);
    return live;
  };
  const join = async (id: string | undefined) => {
    const login = id === undefined ? undefined : { id, findLive };
    const reader = subscribers.stream(0, stays, { login }).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(STREAM_PRELUDE);
    return untilClosed(reader);
  };
  return { subscribers, asked, join };
};

/** Reads on, as a client does; a stream that nobody reads is dropped for another reason. */
const untilClosed = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<"closed"> => {
  for (;;) if ((await reader.read()).done) return "closed";
};

it("a stream ends within a minute of its log-in's end, and no other", async () => {
  const live = new Set(["laptop", "phone"]);
  const { subscribers, join } = startRun(live);
  const laptop = join("laptop");
  void join("phone");
  void join(undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  live.delete("laptop");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await laptop).toBe("closed");
  expect(subscribers.count).toBe(2);
});

it("a stream that a revoked log-in opens ends at once", async () => {
  const { subscribers, join } = startRun(new Set());
  expect(await join("laptop")).toBe("closed");
  expect(subscribers.count).toBe(0);
});

it("one question a minute is about every log-in, once", async () => {
  const { asked, join } = startRun(new Set(["laptop", "phone"]));
  void join("laptop");
  void join("laptop");
  void join("phone");
  await vi.advanceTimersByTimeAsync(1_000);
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(59_000);
  expect(asked).toEqual([["laptop", "phone"]]);
});

it("streams stay while nobody can be asked", async () => {
  const live = new Set(["laptop"]);
  const { subscribers, join } = startRun(live);
  void join("laptop");
  await vi.advanceTimersByTimeAsync(1_000);
  live.add("D1 is away").delete("laptop");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(subscribers.count).toBe(1);
  live.delete("D1 is away");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(subscribers.count).toBe(0);
});

it("a question that is never answered keeps no later one from being asked", async () => {
  const live = new Set(["laptop"]);
  const { subscribers, join } = startRun(live);
  void join("laptop");
  await vi.advanceTimersByTimeAsync(1_000);
  live.add("D1 is silent").delete("laptop");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(subscribers.count).toBe(1);
  live.delete("D1 is silent");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(subscribers.count).toBe(0);
});

it("nobody is asked about where sign-in is off", async () => {
  const { asked, join } = startRun(new Set());
  void join(undefined);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual([]);
});
