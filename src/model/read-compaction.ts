/** Reads the answer to a compaction request: a lone `compaction` block, the provider's summary with its signature. */
import * as z from "zod";
import { addUsage, NO_USAGE, type Usage } from "../contract/run.ts";
import type { Compaction } from "./model.ts";
import { type ModelEvent, mergeUsage, WireUsage } from "./model-event.ts";
import { ModelFailure } from "./model-failure.ts";
import { GrowingOpaqueBlock } from "./opaque-block.ts";

/** A summary that came about: one that did not has null for its content. */
const Summary = z.looseObject({ type: z.literal("compaction"), content: z.string().regex(/\S/) });

/** What a summary cost is told apart from the answer around it. */
const Iteration = WireUsage.extend({ type: z.literal("compaction") });

/** @throws {ModelFailure} when the stream fails, or holds no summary. */
export const readCompaction = async (events: AsyncIterable<ModelEvent>): Promise<Compaction> => {
  let growing: GrowingOpaqueBlock | undefined;
  let usage = NO_USAGE;
  let iterations: WireUsage["iterations"];
  const note = (wire: WireUsage | null | undefined) => {
    usage = mergeUsage(usage, wire ?? {});
    iterations = wire?.iterations ?? iterations;
  };
  for await (const event of events) {
    if (event.type === "message_start") note(event.message.usage);
    else if (event.type === "message_delta") note(event.usage);
    else if (event.type === "content_block_start" && event.content_block.type === "opaque")
      growing = new GrowingOpaqueBlock(event.content_block.block);
    else if (event.type === "content_block_delta" && event.delta.type === "opaque_delta")
      growing?.add(event.delta.delta);
  }
  const summary = Summary.safeParse(growing?.block.block);
  if (growing === undefined || !summary.success) throw noSummary();
  return { block: growing.block, text: summary.data.content, usage: withSummary(usage, iterations ?? []) };
};

const withSummary = (usage: Usage, iterations: NonNullable<WireUsage["iterations"]>): Usage =>
  iterations
    .flatMap((part) => Iteration.safeParse(part).data ?? [])
    .reduce((sum, part) => addUsage(sum, mergeUsage(NO_USAGE, part)), usage);

const noSummary = (): ModelFailure =>
  new ModelFailure("model_unavailable", "The model gave no summary.", { isRetryable: false });
