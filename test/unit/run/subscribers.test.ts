/** Subscribers over a log in memory: who gets what, when a stream ends, and that nobody holds anybody up (run.md). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { STREAM_PING, STREAM_PRELUDE } from "../../../src/run/stream/sse.ts";
import type { Log } from "../../../src/run/stream/subscriber.ts";
import { Subscribers } from "../../../src/run/stream/subscribers.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A log whose frames are `<1>`, `<2>` and so on; a piece that is read twice in a row is the same bytes. */
class MemoryLog implements Log {
  lastSeq = 0;
  isEnded = false;
  /** Most frames of one piece. */
  pageSize = 1_000;
  #shared: { afterSeq: number; lastSeq: number; bytes: Uint8Array } | undefined;

  read(afterSeq: number): { bytes: Uint8Array; lastSeq: number } | undefined {
    if (afterSeq >= this.lastSeq) return undefined;
    const lastSeq = Math.min(this.lastSeq, afterSeq + this.pageSize);
    if (this.#shared?.afterSeq !== afterSeq || this.#shared.lastSeq !== lastSeq) {
      const frames = Array.from({ length: lastSeq - afterSeq }, (_, index) => `<${afterSeq + index + 1}>`);
      this.#shared = { afterSeq, lastSeq, bytes: new TextEncoder().encode(frames.join("")) };
    }
    return this.#shared;
  }

  isOver(afterSeq: number): boolean {
    return this.isEnded && afterSeq >= this.lastSeq;
  }
}

const stays = new AbortController().signal;

/** A run with this many frames, and what its subscribers read. */
const startRun = (lastSeq: number) => {
  const log = new MemoryLog();
  log.lastSeq = lastSeq;
  const subscribers = new Subscribers(log, Date.now);
  const append = (count: number) => {
    log.lastSeq += count;
    subscribers.notify();
  };
  const end = () => {
    log.isEnded = true;
    append(1);
  };
  return {
    log,
    subscribers,
    append,
    end,
    join: (afterSeq: number, signal = stays) => join(subscribers, afterSeq, signal),
  };
};

/** Joins, and reads chunk by chunk as text; `end` where the stream has closed. */
const join = (subscribers: Subscribers, afterSeq: number, signal: AbortSignal) => {
  const reader = subscribers.stream(afterSeq, signal).getReader();
  const read = async (): Promise<string> => {
    const { value, done } = await reader.read();
    return done ? "end" : new TextDecoder().decode(value);
  };
  return { reader, read };
};

describe("a stream", () => {
  it("begins with the prelude, then has everything after the cursor in one chunk", async () => {
    const { read } = startRun(5).join(2);
    expect([await read(), await read()]).toEqual([STREAM_PRELUDE, "<3><4><5>"]);
  });

  it("continues with what is new, all of it in one chunk", async () => {
    const { append, join } = startRun(0);
    const { read } = join(0);
    await read();
    const next = read();
    append(3);
    expect(await next).toBe("<1><2><3>");
    append(1);
    append(1);
    expect(await read()).toBe("<4><5>");
  });

  it("is read in pages when the log returns pages", async () => {
    const { log, join } = startRun(5);
    log.pageSize = 2;
    const { read } = join(0);
    await read();
    expect([await read(), await read(), await read()]).toEqual(["<1><2>", "<3><4>", "<5>"]);
  });

  it("replays an ended run and closes", async () => {
    const { log, join, subscribers } = startRun(2);
    log.isEnded = true;
    const { read } = join(0);
    expect([await read(), await read(), await read()]).toEqual([STREAM_PRELUDE, "<1><2>", "end"]);
    expect(subscribers.count).toBe(0);
  });

  it("of a live run closes right after its last frame", async () => {
    const { end, join, subscribers } = startRun(1);
    const { read } = join(1);
    await read();
    const next = read();
    end();
    expect([await next, await read()]).toEqual(["<2>", "end"]);
    expect(subscribers.count).toBe(0);
  });

  it("of an ended run closes at once where nothing is left", async () => {
    const { log, join } = startRun(2);
    log.isEnded = true;
    const { read } = join(2);
    expect([await read(), await read()]).toEqual([STREAM_PRELUDE, "end"]);
  });

  it("closes when the run is deleted", async () => {
    const { join, subscribers } = startRun(0);
    const { read } = join(0);
    await read();
    const next = read();
    subscribers.close();
    expect(await next).toBe("end");
  });
});

describe("several subscribers", () => {
  it("share the bytes of a chunk", async () => {
    const { append, join } = startRun(0);
    const [one, two] = [join(0), join(0)];
    await Promise.all([one.read(), two.read()]);
    const chunks = Promise.all([one.reader.read(), two.reader.read()]);
    append(3);
    const [first, second] = await chunks;
    expect(first.value).toBe(second.value);
  });

  it("are each at their own cursor", async () => {
    const { append, join } = startRun(4);
    const [early, late] = [join(0), join(3)];
    await Promise.all([early.read(), late.read()]);
    expect(await Promise.all([early.read(), late.read()])).toEqual(["<1><2><3><4>", "<4>"]);
    append(1);
    expect(await Promise.all([early.read(), late.read()])).toEqual(["<5>", "<5>"]);
  });

  it("do not wait for a slow one, which gets all it missed in one chunk", async () => {
    const { append, join } = startRun(0);
    const [fast, slow] = [join(0), join(0)];
    await Promise.all([fast.read(), slow.read()]);
    append(1);
    expect(await fast.read()).toBe("<1>");
    append(1);
    expect(await fast.read()).toBe("<2>");
    append(1);
    expect(await slow.read()).toBe("<1><2><3>");
  });
});

describe("a client that goes away", () => {
  it("leaves by its request's signal, and its stream ends", async () => {
    const { join, subscribers } = startRun(0);
    const request = new AbortController();
    const { read } = join(0, request.signal);
    await read();
    const next = read();
    request.abort();
    expect([await next, subscribers.count]).toEqual(["end", 0]);
  });

  it("leaves by cancelling its stream", async () => {
    const { join, subscribers } = startRun(0);
    const { reader, read } = join(0);
    await read();
    await reader.cancel();
    expect(subscribers.count).toBe(0);
  });

  it("is not counted when it had gone before its stream was made", () => {
    const { join, subscribers } = startRun(0);
    join(0, AbortSignal.abort());
    expect(subscribers.count).toBe(0);
  });

  it("leaves the others where they are", async () => {
    const { append, join, subscribers } = startRun(0);
    const request = new AbortController();
    const [leaving, staying] = [join(0, request.signal), join(0)];
    await Promise.all([leaving.read(), staying.read()]);
    request.abort();
    append(1);
    expect([await staying.read(), subscribers.count]).toEqual(["<1>", 1]);
  });

  it("is the last one to watch, though an export reads on", async () => {
    let timesLeft = 0;
    const subscribers = new Subscribers(new MemoryLog(), Date.now, () => {
      timesLeft += 1;
    });
    const state = () => [subscribers.hasSince(0), subscribers.emptySinceMs, timesLeft];
    const startMs = Date.now();
    const reading = subscribers.stream(0, stays, { isUnseen: true });
    expect(state()).toEqual([false, startMs, 0]);
    const request = new AbortController();
    subscribers.stream(0, request.signal);
    expect(state()).toEqual([true, undefined, 0]);
    vi.setSystemTime(startMs + 1_000);
    request.abort();
    expect(state()).toEqual([false, startMs + 1_000, 1]);
    vi.setSystemTime(startMs + 2_000);
    await reading.cancel();
    expect(state()).toEqual([false, startMs + 1_000, 1]);
  });

  it("takes the clock with it when it was the last", async () => {
    const { join } = startRun(0);
    const { reader } = join(0);
    expect(vi.getTimerCount()).toBe(1);
    await reader.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("time", () => {
  it("brings a comment after every 10 s of silence", async () => {
    const { join } = startRun(0);
    const { read } = join(0);
    await read();
    const first = read();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await first).toBe(STREAM_PING);
    const second = read();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await second).toBe(STREAM_PING);
  });

  it("brings no comment while frames come", async () => {
    const { append, join } = startRun(0);
    const { read } = join(0);
    await read();
    const first = read();
    await vi.advanceTimersByTimeAsync(9_000);
    append(1);
    await first;
    const second = read();
    await vi.advanceTimersByTimeAsync(9_000);
    append(1);
    expect([await first, await second]).toEqual(["<1>", "<2>"]);
  });

  it("drops a reader that takes nothing for 60 s though something waits for it", async () => {
    const { append, join, subscribers } = startRun(0);
    const { read } = join(0);
    await read();
    append(1);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(subscribers.count).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([subscribers.count, await read()]).toEqual([0, "end"]);
  });

  it("keeps a reader that waits for a silent run", async () => {
    const { join, subscribers } = startRun(0);
    const { read } = join(0);
    const told: string[] = [];
    Array.from({ length: 40 }, async () => told.push(await read()));
    await vi.advanceTimersByTimeAsync(300_000);
    expect(told).toEqual([STREAM_PRELUDE, ...Array.from({ length: 30 }, () => STREAM_PING)]);
    expect(subscribers.count).toBe(1);
  });

  it("ends a stream after 15 min between two frames, so that its client comes back with its cursor", async () => {
    const { join, subscribers } = startRun(1);
    const { read, reader } = join(0);
    const pings = Array.from({ length: 200 }, () => reader.read());
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect([subscribers.count, await read(), (await pings.at(-1))?.done]).toEqual([0, "end", true]);
  });
});
