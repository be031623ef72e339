/** The pre-made events of a run: the same deltas the model server sends, as the frames a subscriber reads. */

/** Events in one write to a subscriber. */
const EVENTS_PER_WRITE = 16;

const encoder = new TextEncoder();

const frame = (seq: number, fields: Readonly<Record<string, unknown>>): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ ...fields, seq, at: "2026-01-01T00:00:00.000Z" })}\n\n`;

/** `deltas` frames of one word and a `run_end`, encoded in chunks of sixteen frames. */
export const makeDeltaLog = (deltas: number): Uint8Array[] => {
  const frames = Array.from({ length: deltas }, (_, index) =>
    frame(index + 1, { type: "text_delta", messageId: "1", text: "word " }),
  );
  frames.push(frame(deltas + 1, { type: "run_end", status: "completed" }));
  return Array.from({ length: Math.ceil(frames.length / EVENTS_PER_WRITE) }, (_, index) =>
    encoder.encode(frames.slice(index * EVENTS_PER_WRITE, (index + 1) * EVENTS_PER_WRITE).join("")),
  );
};
