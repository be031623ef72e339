/** Parses the provider's stream, event by event. New kinds may appear at any time (API docs, "Streaming"). */

import * as z from "zod";
import { isRecord } from "../../contract/parse-json.ts";
import { addUsage, NO_USAGE, type Usage } from "../../contract/run.ts";
import type { Compaction } from "../model.ts";
import { ModelEvent, mergeUsage, WireUsage } from "../model-event.ts";
import { ModelFailure } from "../model-failure.ts";
import { GrowingOpaqueBlock } from "../opaque-block.ts";

const Kind = z.looseObject({ type: z.string() });

/** Whether parsing failed only because of a kind of event, block or delta that we do not know. */
const isUnknownKind = (raw: unknown): boolean => {
  const issues = ModelEvent.safeParse(raw, { reportInput: true }).error?.issues ?? [];
  return issues.every(
    (issue) => issue.code === "invalid_union" && issue.discriminator === "type" && Kind.safeParse(issue.input).success,
  );
};

const BlockStart = z.object({ type: z.literal("content_block_start"), index: z.int(), content_block: Kind });

/** A delta of any kind. */
type BlockDelta = {
  readonly type: "content_block_delta";
  readonly index: number;
  readonly delta: { readonly type: string; readonly text?: unknown };
};

/** Without a schema: nearly all events are deltas, and in a Worker a schema takes ten times as long. */
const isDelta = (raw: unknown): raw is BlockDelta =>
  isRecord(raw) &&
  raw.type === "content_block_delta" &&
  Number.isSafeInteger(raw.index) &&
  isRecord(raw.delta) &&
  typeof raw.delta.type === "string";

/**
 * Makes the reader for one stream. A block of an unknown kind is read as `opaque`, with all its deltas, because it must be sent back
 * unchanged. For other events of unknown kinds the reader returns undefined.
 *
 * The reader throws a `ZodError` when a known kind has an unexpected shape: such a stream cannot be trusted.
 */
export const modelEventReader = (): ((raw: unknown) => ModelEvent | undefined) => {
  const opaque = new Set<number>();
  return (raw) => {
    if (isDelta(raw)) {
      const { type, index, delta } = raw;
      if (opaque.has(index)) return { type, index, delta: { type: "opaque_delta", delta } };
      const isText = delta.type === "text_delta" && typeof delta.text === "string";
      if (isText && index >= 0) return { type, index, delta: { type: "text_delta", text: delta.text } };
    }
    const parsed = ModelEvent.safeParse(raw);
    if (parsed.success) return parsed.data;
    if (!isUnknownKind(raw)) throw parsed.error;
    const start = BlockStart.safeParse(raw);
    if (!start.success) return undefined;
    opaque.add(start.data.index);
    return { ...start.data, content_block: { type: "opaque", block: start.data.content_block } };
  };
};

/** A summary that was written; the content of a failed one is null. */
const Summary = z.looseObject({ type: z.literal("compaction"), content: z.string().regex(/\S/) });

/** The usage of a summary is reported separately from that of the answer around it. */
const Iteration = WireUsage.extend({ type: z.literal("compaction") });

/**
 * Reads the answer to a compaction request: a single `compaction` block, the provider's summary with its signature.
 *
 * @throws {ModelFailure} when the stream fails, or contains no summary.
 */
export const readCompaction = async (events: AsyncIterable<ModelEvent>): Promise<Compaction> => {
  let growing: GrowingOpaqueBlock | undefined;
  let usage = NO_USAGE;
  let iterations: WireUsage["iterations"];
  const note = (wire: WireUsage | null | undefined) => {
    usage = mergeUsage(usage, wire ?? {});
    iterations = wire?.iterations ?? iterations;
  };
  let hasBegun = false;
  const taken = (): Usage => withSummary(usage, iterations ?? []);
  try {
    for await (const event of events) {
      hasBegun = true;
      if (event.type === "message_start") note(event.message.usage);
      else if (event.type === "message_delta") note(event.usage);
      else if (event.type === "content_block_start" && event.content_block.type === "opaque")
        growing = new GrowingOpaqueBlock(event.content_block.block);
      else if (event.type === "content_block_delta" && event.delta.type === "opaque_delta")
        growing?.add(event.delta.delta);
    }
  } catch (error) {
    if (error instanceof ModelFailure && hasBegun) error.taken = taken();
    throw error;
  }
  const summary = Summary.safeParse(growing?.block.block);
  if (growing === undefined || !summary.success) throw noSummary(taken());
  return { block: growing.block, text: summary.data.content, usage: taken() };
};

const withSummary = (usage: Usage, iterations: NonNullable<WireUsage["iterations"]>): Usage =>
  iterations
    .flatMap((part) => Iteration.safeParse(part).data ?? [])
    .reduce((sum, part) => addUsage(sum, mergeUsage(NO_USAGE, part)), usage);

/** Also used when the stream is abandoned before its first event: the usage is then unknown. */
const noSummary = (taken: Usage): ModelFailure => {
  const failure = new ModelFailure("model_unavailable", "The model gave no summary.", { isRetryable: false });
  failure.taken = taken;
  return failure;
};
