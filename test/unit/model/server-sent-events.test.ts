/** Bytes to events, however the network cuts them. */
import { expect, it } from "vitest";
import { serverSentEvents } from "../../../src/model/anthropic/anthropic-model.ts";
import { IdleWatch, MAX_SILENCE_MS } from "../../../src/model/anthropic/idle-watch.ts";

/** A body that arrives in chunks of so many bytes. */
const bodyOf = (text: string, chunkBytes: number): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes) controller.enqueue(bytes.slice(at, at + chunkBytes));
      controller.close();
    },
  });
};

const batchesOf = async (text: string, chunkBytes: number) => {
  const watch = new IdleWatch(MAX_SILENCE_MS);
  const batches = [];
  for await (const batch of serverSentEvents(bodyOf(text, chunkBytes), watch)) batches.push(batch);
  watch.end();
  return batches;
};

/** A chunk size that no text here reaches. */
const WHOLE = 10_000;

const TWO = [
  { event: "a", data: "Größe 📈" },
  { event: "b", data: "2" },
];

it.each([
  ["line feeds", "event: a\ndata: Größe 📈\n\nevent: b\ndata: 2\n\n"],
  ["carriage returns and line feeds", "event: a\r\ndata: Größe 📈\r\n\r\nevent: b\r\ndata: 2\r\n\r\n"],
  [
    "comments, ids and fields that nobody knows",
    ": hi\nid: 1\nweather: fine\nevent: a\ndata: Größe 📈\n\n\nevent:b\ndata:2\n\n",
  ],
  ["a byte order mark", "\uFEFFevent: a\ndata: Größe 📈\n\nevent: b\ndata: 2\n\n"],
])("reads events with %s in one batch, and the same when they come byte by byte", async (_name, text) => {
  expect(await batchesOf(text, WHOLE)).toMatchObject([TWO]);
  expect((await batchesOf(text, 1)).flat()).toMatchObject(TWO);
});

it("yields nothing for a read that completes no event", async () => {
  expect(await batchesOf("event: a\ndata: 1\n\n", 1)).toHaveLength(1);
});

it("leaves out an event that the end cuts", async () => {
  expect(await batchesOf("event: a\ndata: 1\n\nevent: b\ndata: 2\n", WHOLE)).toMatchObject([[{ event: "a" }]]);
});
