/** Keeps frames under 64 KB: long strings are cut, and `truncated: true` stands beside each that was (CONTRACT §3). */
import { cutText } from "../contract/cut-text.ts";
import { TranscriptEvent } from "../contract/transcript.ts";

/** Largest JSON of an event, in bytes: 64 KB less what `id:`, `seq` and `at` add. */
export const MAX_EVENT_BYTES = 65_536 - 256;

/** Kinds that are cut. The others are short by nature, or, like `message_end`, must be whole. */
const CUT_KINDS: ReadonlySet<TranscriptEvent["type"]> = new Set([
  "tool_start",
  "tool_output",
  "tool_end",
  "file_change",
  "permission_request",
  "user_message",
]);

/** Shortest limit strings are cut to; below it, it is their number that is too large. */
const MIN_STRING_LENGTH = 16;

/** The event as it is sent, and whether anything of it was cut. */
export const fitEvent = (event: TranscriptEvent): { event: TranscriptEvent; isCut: boolean } => {
  if (!CUT_KINDS.has(event.type) || fits(event)) return { event, isCut: false };
  for (let limit = MAX_EVENT_BYTES; limit >= MIN_STRING_LENGTH; limit = Math.floor(limit / 2)) {
    const cut = cutParts(event, limit);
    if (fits(cut)) return { event: TranscriptEvent.parse(cut), isCut: true };
  }
  return { event: withoutParts(event), isCut: true };
};

const encoder = new TextEncoder();

const fits = (value: unknown): boolean => encoder.encode(JSON.stringify(value)).byteLength <= MAX_EVENT_BYTES;

/** Cuts each string to `limit` units and marks the nearest object it stands in. */
const cutStrings = (value: unknown, limit: number, mark = () => {}): unknown => {
  if (typeof value === "string" && value.length > limit) {
    mark();
    return cutText(value, limit);
  }
  if (Array.isArray(value)) return value.map((part) => cutStrings(part, limit, mark));
  if (typeof value !== "object" || value === null) return value;
  let isMarked = false;
  const markThis = () => {
    isMarked = true;
  };
  const entries = Object.entries(value).map(([key, part]) => [key, cutStrings(part, limit, markThis)]);
  return { ...Object.fromEntries(entries), ...(isMarked ? { truncated: true } : {}) };
};

/** Fields that can be long, by nature; all others are ids, kinds and times, and stay whole. */
const LONG_FIELDS: ReadonlySet<string> = new Set(["text", "input", "subject", "output", "diff", "path", "title"]);

/** A request also says it of its subject, however deep the cut is: nobody agrees to what they were not shown. */
const cutParts = (event: TranscriptEvent, limit: number): unknown => {
  const fields = Object.entries(event);
  const long = Object.fromEntries(fields.filter(([key]) => LONG_FIELDS.has(key)));
  const cut = { ...event, ...Object(cutStrings(long, limit)) };
  return event.type === "permission_request" ? { ...cut, subject: { ...cut.subject, truncated: true } } : cut;
};

/** Too many parts rather than too long ones: the nested part goes, the event's own short fields stay. */
const withoutParts = (event: TranscriptEvent): TranscriptEvent => {
  const emptied =
    event.type === "permission_request"
      ? { ...event, subject: { type: "action", name: event.tool, input: {}, truncated: true } }
      : { ...event, input: {}, truncated: true };
  return TranscriptEvent.parse(emptied);
};
