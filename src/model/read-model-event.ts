/** Parses the provider's stream, event by event. New kinds may appear at any time (API docs, "Streaming"). */
import * as z from "zod";
import { ModelEvent } from "./model-event.ts";

const Kind = z.looseObject({ type: z.string() });

/** Whether a failed parse met nothing worse than a kind of event, block or delta that we do not know. */
const isUnknownKind = (raw: unknown): boolean => {
  const issues = ModelEvent.safeParse(raw, { reportInput: true }).error?.issues ?? [];
  return issues.every(
    (issue) => issue.code === "invalid_union" && issue.discriminator === "type" && Kind.safeParse(issue.input).success,
  );
};

const BlockStart = z.object({ type: z.literal("content_block_start"), index: z.int(), content_block: Kind });
const BlockDelta = z.object({ type: z.literal("content_block_delta"), index: z.int(), delta: Kind });

/**
 * Makes the reader of one stream. A block of a kind that we do not know is read as `opaque`, with all its deltas: it has to be
 * sent back as it came. Other events of unknown kinds are left out; the reader returns undefined for them.
 *
 * The reader throws a `ZodError` when a kind that we know has another shape: such a stream cannot be trusted.
 */
export const modelEventReader = (): ((raw: unknown) => ModelEvent | undefined) => {
  const opaque = new Set<number>();
  return (raw) => {
    const delta = BlockDelta.safeParse(raw);
    if (delta.success && opaque.has(delta.data.index)) {
      return { ...delta.data, delta: { type: "opaque_delta", delta: delta.data.delta } };
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
