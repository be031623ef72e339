/** What the subscribers of a run hold in memory who have been given something and do not read it. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/contract/transcript.ts";
import { RUN_SCHEMA } from "../../../src/run/store/run-schema.ts";
import { Transcript } from "../../../src/run/store/transcript.ts";
import { MAX_SUBSCRIBERS, Subscribers } from "../../../src/run/stream/subscribers.ts";

const NOW_MS = Date.UTC(2026, 10, 21);

const DELTA: TranscriptEvent = { type: "text_delta", messageId: "m", text: "x".repeat(700) };

/** A third of what an isolate has, all that is in it included. */
const MAX_HELD_BYTES = 40_000_000;

it("a thousand of them, each at its own place of a long log, share a part of the memory", async () => {
  const held = await runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    storage.sql.exec(RUN_SCHEMA);
    const transcript = new Transcript(storage.sql, () => NOW_MS);
    transcript.begin();
    // 1.6 MB, in rows of 160 KB: the first ones are on disk alone.
    for (let row = 0; row < 10; row += 1) {
      transcript.append(Array.from({ length: 200 }, () => DELTA));
      transcript.markDurable(transcript.lastSeq);
    }
    const log = {
      read: (afterSeq: number, maxBytes: number) => transcript.read(afterSeq, maxBytes),
      isOver: () => false,
    };
    const subscribers = new Subscribers(log, () => NOW_MS);
    const lengths: number[] = [];
    for (let cursor = 1; cursor <= MAX_SUBSCRIBERS; cursor += 1) {
      const reader = subscribers.stream(cursor, new AbortController().signal).getReader();
      // The first is how every stream begins.
      await reader.read();
      lengths.push((await reader.read()).value?.byteLength ?? 0);
    }
    subscribers.close();
    return lengths;
  });
  expect(held).toHaveLength(MAX_SUBSCRIBERS);
  expect(held[0]).toBeGreaterThan(60_000);
  expect(held.reduce((sum, length) => sum + length, 0)).toBeLessThan(MAX_HELD_BYTES);
});
