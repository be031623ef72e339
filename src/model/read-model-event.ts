/** Parses the provider's stream, event by event. New kinds may appear at any time and are left out (API docs, "Streaming"). */
import { z } from "zod";
import { ModelEvent } from "./model-event.ts";

const Kind = z.object({ type: z.string() });

/** Whether a failed parse met nothing worse than a kind of event, block or delta that we do not know. */
const isUnknownKind = (raw: unknown): boolean => {
  const issues = ModelEvent.safeParse(raw, { reportInput: true }).error?.issues ?? [];
  return issues.every(
    (issue) => issue.code === "invalid_union" && issue.discriminator === "type" && Kind.safeParse(issue.input).success,
  );
};

const BlockIndex = z.object({ index: z.int(), content_block: z.unknown() });

/**
 * Makes the reader of one stream. It returns undefined for what is left out; the events of a block whose start was left
 * out go with it, or they would seem to belong to nothing.
 *
 * The reader throws a `ZodError` when a kind that we know has another shape: such a stream cannot be trusted.
 */
export const modelEventReader = (): ((raw: unknown) => ModelEvent | undefined) => {
  const leftOut = new Set<number>();
  return (raw) => {
    const parsed = ModelEvent.safeParse(raw);
    if (parsed.success) return "index" in parsed.data && leftOut.has(parsed.data.index) ? undefined : parsed.data;
    if (!isUnknownKind(raw)) throw parsed.error;
    const start = BlockIndex.safeParse(raw);
    if (start.success && start.data.content_block !== undefined) leftOut.add(start.data.index);
    return undefined;
  };
};
