/** What a command wrote while it ran, bounded: its end is kept, and a count of what is gone. */
import type { LiveOutput, OutputPart } from "./transcript-item.ts";

/** UTF-16 units kept of one call's output. A build log can be far longer, and nobody reads it in a card. */
const MAX_LIVE_LENGTH = 100_000;

/** How far it may grow over that before it is cut: cutting at each piece would copy all of it each time. */
const SLACK_LENGTH = 25_000;

/** Parts kept of output that changes streams with each line, for the same reason. */
const MAX_PARTS = 500;
const SLACK_PARTS = 125;

/** A call that wrote nothing. */
export const NO_OUTPUT: LiveOutput = { parts: [], leftOut: 0 };

/** The output with one more piece at its end. */
export const appendOutput = (live: LiveOutput, stream: OutputPart["stream"], text: string): LiveOutput => {
  const last = live.parts.at(-1);
  const parts =
    last?.stream === stream
      ? live.parts.with(-1, { stream, text: last.text + text })
      : [...live.parts, { stream, text }];
  const length = lengthOf(parts);
  if (length > MAX_LIVE_LENGTH + SLACK_LENGTH || parts.length > MAX_PARTS + SLACK_PARTS) {
    const kept = keepEnd(parts);
    return { parts: kept, leftOut: live.leftOut + length - lengthOf(kept) };
  }
  return { parts, leftOut: live.leftOut };
};

const lengthOf = (parts: readonly OutputPart[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

const keepEnd = (parts: readonly OutputPart[]): OutputPart[] => {
  const kept: OutputPart[] = [];
  let room = MAX_LIVE_LENGTH;
  for (const { stream, text } of parts.slice(-MAX_PARTS).toReversed()) {
    if (room <= 0) break;
    const end = endOf(text, room);
    kept.push({ stream, text: end });
    room -= text.length;
  }
  return kept.reverse();
};

/** The last `room` units, begun at a whole character. */
const endOf = (text: string, room: number): string => {
  if (text.length <= room) return text;
  const end = text.slice(-room);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
};
