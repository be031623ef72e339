/** Any log, however it is cut, repeated and sent: what a person sees in the end is what the whole log says. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type NumberedEvent, TranscriptEvent } from "../../../../../src/contract/transcript.ts";
import { formatFrame } from "../../../../../src/run/stream/sse.ts";
import { applyEvents } from "../../../../../src/ui/agent/stream/apply-event.ts";
import { newTranscript, type TranscriptState } from "../../../../../src/ui/agent/stream/transcript-state.ts";
import { numbered, RUN_ID, timeOf } from "../support/events.ts";
import { cutsOf, logs } from "../support/log-arbitrary.ts";

const EMPTY = newTranscript(RUN_ID);
const fold = (log: readonly NumberedEvent[]): TranscriptState => applyEvents(EMPTY, log);

/** A log, places to cut it at, and how far each connection goes back. */
const cutLogs = logs
  .map((events) => numbered(events))
  .chain((log) => fc.record({ log: fc.constant(log), cuts: cutsOf(log.length), back: fc.nat({ max: log.length }) }));

it("any pieces that overlap give the state of the whole log", () => {
  fc.assert(
    fc.property(cutLogs, ({ log, cuts, back }) => {
      const pieces = cuts.map((end, index) => log.slice(Math.max(0, (cuts[index - 1] ?? 0) - back), end));
      expect(pieces.reduce(applyEvents, EMPTY)).toEqual(fold(log));
    }),
  );
});

it("a state is the same from then on: what comes later changes none that was given out", () => {
  fc.assert(
    fc.property(cutLogs, ({ log, cuts: [cut = 0] }) => {
      const early = fold(log.slice(0, cut));
      const before = structuredClone(early);
      applyEvents(early, log);
      expect(early).toEqual(before);
    }),
  );
});

it("the end shows each message that was not discarded, whole, and no part open", () => {
  fc.assert(
    fc.property(logs, (events) => {
      const { items, lastSeq } = fold(numbered(events));
      const said = events.flatMap((event) => (event.type === "message_end" ? [event.text] : []));
      const ended = events.flatMap((event) => (event.type === "tool_end" ? [[event.toolCallId, event.status]] : []));
      expect(items.flatMap((item) => (item.type === "message" ? [item.text] : []))).toEqual(said);
      expect(items.flatMap((item) => (item.type === "tool" ? [[item.toolCallId, item.status]] : []))).toEqual(
        expect.arrayContaining(ended),
      );
      expect(items.filter((item) => item.type === "message" && item.isOpen)).toEqual([]);
      expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
      expect(lastSeq).toBe(events.length);
    }),
  );
});

/** Events of a stream's bytes, which come in chunks that end anywhere, also inside a character. */
const receive = async (bytes: Uint8Array<ArrayBuffer>, cuts: readonly number[]): Promise<NumberedEvent[]> => {
  const chunks = cuts.map((end, index) => bytes.slice(cuts[index - 1] ?? 0, end));
  const frames = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  })
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const events: NumberedEvent[] = [];
  for await (const { data, id } of frames) {
    const event = TranscriptEvent.parse(JSON.parse(data));
    events.push({ ...event, seq: Number(id), at: timeOf(Number(id)) });
  }
  return events;
};

it("the stream's text gives the events back, wherever its bytes are cut", async () => {
  const streams = logs.chain((events) => {
    const text = events.map((event, index) => formatFrame(event, index + 1, timeOf(index + 1))).join("");
    const bytes = new TextEncoder().encode(text);
    return fc.record({ events: fc.constant(events), bytes: fc.constant(bytes), cuts: cutsOf(bytes.length) });
  });
  await fc.assert(
    fc.asyncProperty(streams, async ({ events, bytes, cuts }) => {
      expect(await receive(bytes, cuts)).toEqual(numbered(events));
    }),
  );
});
