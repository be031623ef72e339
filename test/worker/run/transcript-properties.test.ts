/** A run's log, however its events came in and wherever a reader is: always the same bytes, to the last one. */
import { env, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { it } from "vitest";
import type { TranscriptEvent } from "../../../src/contract/transcript.ts";
import { RUN_SCHEMA } from "../../../src/run/store/run-schema.ts";
import { Transcript } from "../../../src/run/store/transcript.ts";
import { formatFrame } from "../../../src/run/stream/sse.ts";

const NOW_MS = Date.UTC(2026, 10, 21);
const AT = new Date(NOW_MS).toISOString();

/** Texts made of what frames are made of; a few are longer than a row or a page of the log. */
const text = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom("a", "\n\nid: 2\n", "data: ", "\r\n", "é", "😀", "\ud83d", "\u2028") },
  { weight: 10, arbitrary: fc.string({ unit: "grapheme", minLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(300_000), "é".repeat(300_000)) },
);

/** Events by the commits they came in, cursors to read from, and what a reader may be given at once. */
const histories = fc.record({
  maxBytes: fc.constantFrom(1, 300, 64_000, 1_000_000),
  commits: fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
  cursors: fc.array(fc.nat({ max: 45 }), { maxLength: 6 }),
});

const eventOf = (words: string): TranscriptEvent => ({ type: "text_delta", messageId: "m", text: words });

/** All that a reader gets who has the events up to `cursor`, page by page, each within `maxBytes` or a frame of its own. */
const readFrom = (transcript: Transcript, cursor: number, maxBytes: number): string => {
  const decoder = new TextDecoder();
  let whole = "";
  let at = cursor;
  for (let page = transcript.read(at, maxBytes); page !== undefined; page = transcript.read(at, maxBytes)) {
    if (page.bytes.byteLength > maxBytes && page.lastSeq !== at + 1) throw new Error(`Too much after ${at}.`);
    whole += decoder.decode(page.bytes);
    at = page.lastSeq;
  }
  return whole;
};

it("reads the same from memory and from storage, at any cursor", async ({ expect }) => {
  await runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), (_, { storage }) => {
    storage.sql.exec(RUN_SCHEMA);
    fc.assert(
      fc.property(histories, ({ maxBytes, commits, cursors }) => {
        storage.sql.exec("DELETE FROM transcript");
        const live = new Transcript(storage.sql, () => NOW_MS);
        for (const commit of commits) {
          live.append(commit.map(eventOf));
          live.markDurable(live.lastSeq);
        }
        const later = new Transcript(storage.sql, () => NOW_MS);
        const frames = commits.flat().map((words, index) => formatFrame(eventOf(words), index + 1, AT));
        const expected = [0, ...cursors].map((cursor) => frames.slice(cursor).join("").toWellFormed());
        expect([0, ...cursors].map((cursor) => readFrom(live, cursor, maxBytes))).toEqual(expected);
        expect([0, ...cursors].map((cursor) => readFrom(later, cursor, maxBytes))).toEqual(expected);
        expect([...later.events(0)].map((event) => ("text" in event ? event.text : ""))).toEqual(commits.flat());
      }),
      { numRuns: 60 },
    );
  });
});
