/** Logs of runs in the contract's order, with anything that can happen in one: for property tests of what reads them. */
import fc from "fast-check";
import type { TranscriptEvent } from "../../../../../src/contract/transcript.ts";
import {
  budgetRequest,
  compacted,
  messageEnd,
  messageStart,
  permissionReply,
  permissionRequest,
  REQUEST_ID,
  runEnd,
  runQueued,
  runStart,
  textDelta,
  toolStart,
  userMessage,
} from "./events.ts";

/** What a delta or an output may hold: above all what frames and Markdown are made of. */
const piece = fc.oneof(
  fc.constantFrom("a", "\n\n", "data: ", "id: 1\n", "\r\n", "é", "😀", "\u2028", "```", "\u0000", "\ud83d"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
);
const pieces = fc.array(piece, { minLength: 1, maxLength: 5 });

type Step = {
  readonly texts: readonly string[];
  readonly thoughts: readonly string[];
  /** How often the message was begun in vain before. */
  readonly discards: number;
  readonly calls: readonly Call[];
};

type Call = {
  readonly outputs: readonly string[];
  readonly isAsked: boolean;
  readonly decision: "allow_once" | "reject" | "expired";
  readonly status: "completed" | "failed" | "denied" | "unknown";
  readonly hasFile: boolean;
};

const call: fc.Arbitrary<Call> = fc.record({
  outputs: fc.array(piece, { maxLength: 4 }),
  isAsked: fc.boolean(),
  decision: fc.constantFrom("allow_once" as const, "reject" as const, "expired" as const),
  status: fc.constantFrom("completed" as const, "failed" as const, "denied" as const, "unknown" as const),
  hasFile: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.record({
  texts: pieces,
  thoughts: fc.array(piece, { maxLength: 2 }),
  discards: fc.nat(2),
  calls: fc.array(call, { maxLength: 3 }),
});

const messageOf = (id: string, { texts, thoughts }: Step, nth: number): TranscriptEvent[] => [
  messageStart(id, nth),
  ...thoughts.map((text): TranscriptEvent => ({ type: "thinking_delta", messageId: id, text })),
  ...texts.map((text) => textDelta(id, text)),
];

const stepEvents = (one: Step, nth: number): TranscriptEvent[] => {
  const id = `m${nth}`;
  const vain = Array.from({ length: one.discards }, (_, index): TranscriptEvent[] => [
    ...messageOf(`${id}-${index}`, one, nth),
    { type: "message_discard", messageId: `${id}-${index}`, reason: index === 0 ? "retry" : "restart" },
    index === 0 ? { type: "model_retry", attempt: 1, delayMs: 5, reason: "model_overloaded" } : runStart(2, `/w${nth}`),
  ]);
  return [
    ...vain.flat(),
    ...messageOf(id, one, nth),
    messageEnd(id, one.texts.join("")),
    ...one.calls.map((_, index) => toolStart(`${nth}-${index}`, id)),
    ...one.calls.flatMap((made, index) => callEvents(made, `${nth}-${index}`)),
  ];
};

const callEvents = (made: Call, toolCallId: string): TranscriptEvent[] => {
  const asked: TranscriptEvent[] = [
    permissionRequest(toolCallId),
    { type: "run_status", status: "waiting_permission" },
    { type: "permission_reply", requestId: REQUEST_ID, toolCallId, decision: made.decision, by: "user" },
    { type: "run_status", status: "running" },
  ];
  const file: TranscriptEvent = { type: "file_change", toolCallId, path: "a", operation: "update", diff: "+y\n" };
  const outputs = made.outputs.map(
    (text): TranscriptEvent => ({ type: "tool_output", toolCallId, stream: "stdout", text }),
  );
  const output = made.outputs.join("");
  return [
    ...(made.isAsked ? asked : []),
    ...outputs,
    ...(made.hasFile ? [file] : []),
    { type: "tool_end", toolCallId, status: made.status, output, truncated: false, durationMs: 1 },
  ];
};

/** What the model may be told before a step, and what a run may ask for. */
const told: fc.Arbitrary<readonly TranscriptEvent[]> = fc.constantFrom<TranscriptEvent[][]>(
  [],
  [{ type: "context_added", source: "instructions", path: "AGENTS.md" }],
  [compacted("So far.")],
  [{ type: "context_reset", reason: "Another model answers now." }],
  [budgetRequest(), permissionReply("budget-1")],
);

/** A log as the server makes one, from its first event to its last. */
export const logs: fc.Arbitrary<TranscriptEvent[]> = fc
  .record({
    isQueued: fc.boolean(),
    prompt: piece,
    told,
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom("completed" as const, "failed" as const, "aborted" as const),
  })
  .map(({ isQueued, prompt, told: first, steps, end }) => [
    ...(isQueued ? [runQueued(1), userMessage(prompt), runStart()] : [runStart(), userMessage(prompt)]),
    ...first,
    ...steps.flatMap((one, index) => stepEvents(one, index + 1)),
    runEnd(end),
  ]);

/** Places to cut a log at, in order. */
export const cutsOf = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat({ max: length }), { maxLength: 12 }).map((places) => [...places.toSorted((a, b) => a - b), length]);
