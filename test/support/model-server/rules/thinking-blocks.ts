/**
 * Thinking that is sent back: signed by this server, unchanged, and after the same messages as when it was made. Sources:
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation
 */
import { type Binding, type MadeBlocks, proofOf, type Summary } from "../made-blocks.ts";
import { headOf, PrefixBuilder, type PrefixEntry } from "../prefix.ts";
import type { Transformation } from "../reply.ts";
import type { Call } from "./call.ts";
import { type Block, isThinking } from "./request-shape.ts";
import { invalid, type Refusal, type RuleName } from "./rule.ts";

/** What the model reads of a request: all that precedes its answer, and the last thinking among it. */
export type ReadPrefix = {
  readonly system: string;
  readonly tools: string;
  readonly builder: PrefixBuilder;
  /** What replaces the messages that are no longer sent. */
  readonly summary: Summary | undefined;
  lastThinking: string | undefined;
};

/** An accepted request, with what was done to its thinking; or why it is refused. */
export type ThinkingOutcome =
  | { readonly refusal: Refusal }
  | { readonly refusal?: undefined; readonly read: ReadPrefix; readonly transformations: readonly Transformation[] };

const BINDING_BETA = "thinking-binding-controls-2026-08-01";

const firstDifference = (binding: Binding, entries: readonly PrefixEntry[]): string => {
  const at = binding.entries.findIndex((entry, index) => entry.hash !== entries[index]?.hash);
  const now = entries[at === -1 ? binding.entries.length : at];
  return now === undefined
    ? `Content that preceded this block when it was created is missing from this request, starting at \`${binding.entries[at]?.path}\`.`
    : `Content before this block differs from when it was created, first at \`${now.path}\`.`;
};

const isSame = (a: readonly PrefixEntry[], b: readonly PrefixEntry[]): boolean =>
  a.length === b.length && a.every((entry, index) => entry.hash === b[index]?.hash);

/**
 * Whether the summaries at the start of a request leave a block valid: those written since it was made must have been
 * written behind the same system prompt and tools, by a model that keeps thinking.
 * https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks
 */
const outlives = (binding: Binding, summary: Summary | undefined): boolean => {
  if (binding.summary === summary?.signature) return true;
  if (summary === undefined || !summary.keepsThinking) return false;
  return summary.system === binding.system && summary.tools === binding.tools && outlives(binding, summary.earlier);
};

/** Why a block is not where it was made; undefined when it is. */
const mismatch = (binding: Binding, read: ReadPrefix): string | undefined => {
  if (binding.system !== read.system) return "The `system` prompt differs from when the block was created.";
  if (binding.tools !== read.tools) return "The `tools` list differs from when the block was created.";
  if (!outlives(binding, read.summary)) return "A summary at the start does not continue what was before this block.";
  if (!isSame(binding.entries, read.builder.entries)) return firstDifference(binding, read.builder.entries);
  // Thinking may go from the start of a conversation, so the first that is left needs no forerunner.
  return read.lastThinking === undefined || read.lastThinking === binding.before
    ? undefined
    : "A thinking block before this one was left out, moved or put back.";
};

const boundElsewhere = (path: string, block: Block, betas: ReadonlySet<string>, why: string): Refusal =>
  invalid(
    [
      `${path}: Invalid \`signature\` in \`${block.type}\` block. The block is bound to a different conversation.`,
      'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
      ...(betas.has(BINDING_BETA)
        ? []
        : [`That setting requires the \`${BINDING_BETA}\` value in the \`anthropic-beta\` header.`]),
      why,
    ].join(" "),
  );

const tamperedProblem = (block: Block, path: string, bindings: readonly Binding[]): Refusal | undefined => {
  if (bindings.length === 0) return invalid(`${path}: Invalid \`signature\` in \`${block.type}\` block`);
  return block.type === "redacted_thinking" || bindings.some((binding) => binding.text === block.thinking)
    ? undefined
    : modified(path);
};

const modified = (path: string): Refusal =>
  invalid(
    `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  );

/**
 * Two thoughts side by side between which something was left out, such as a blank text: refused with those words, in every message.
 * Measured: https://github.com/Yeachan-Heo/gajae-code/pull/4418
 */
const neighbourProblem = (last: Block | undefined, path: string, bindings: readonly Binding[]): Refusal | undefined =>
  last === undefined || !isThinking(last) || bindings.some(({ neighbour }) => neighbour === proofOf(last))
    ? undefined
    : modified(path);

const dropsMismatches = ({ request }: Call): boolean => {
  const binding = request.thinking?.block_binding;
  return JSON.stringify(binding ?? null).includes('"drop_block"');
};

/** What precedes all messages of a request: a summary replaces what it summarizes, and ends a turn. */
const startOf = ({ request }: Call, made: MadeBlocks): ReadPrefix => {
  const [first, second] = request.messages;
  const summary = made.summary(first?.content.find(({ type }) => type === "compaction")?.signature);
  const builder = new PrefixBuilder(summary?.entries);
  // The API merges a system message that follows the summary at once into what was summarized.
  if (summary !== undefined && second?.role === "system") builder.entries.push({ hash: "merged", path: "messages.1" });
  return { ...headOf(request), builder, summary, lastThinking: undefined };
};

/** Reads the request's messages in order and looks at each thinking block in its place. */
export const readThinking = (call: Call, made: MadeBlocks, off: ReadonlySet<RuleName>): ThinkingOutcome => {
  const { request, model, betas } = call;
  const read = startOf(call, made);
  const transformations: Transformation[] = [];
  let refusal: Refusal | undefined;
  const isChecked = model?.hasPrefixCheck === true;
  read.builder.addAll(request.messages, (block, path, last) => {
    if (refusal !== undefined || !isThinking(block)) return;
    const bindings = made.bindings(proofOf(block));
    refusal = off.has("signatures")
      ? undefined
      : (tamperedProblem(block, path, bindings) ?? neighbourProblem(last, path, bindings));
    if (refusal !== undefined) return;
    const readable = bindings.filter((binding) => model === undefined || model.reads.includes(binding.model));
    const [first] = readable;
    if (first === undefined) {
      if (bindings.length > 0)
        transformations.push({ type: "thinking_dropped", path, reason: "model_binding_mismatch" });
      return;
    }
    const whyNot = readable.map((binding) => mismatch(binding, read));
    if (!isChecked || whyNot.includes(undefined)) {
      read.lastThinking = proofOf(block);
    } else if (off.has("prefix")) {
      transformations.push({ type: "thinking_mismatch_allowed", path, reason: "prefix_binding_mismatch" });
      read.lastThinking = proofOf(block);
    } else if (dropsMismatches(call)) {
      transformations.push({ type: "thinking_dropped", path, reason: "prefix_binding_mismatch" });
    } else {
      refusal = boundElsewhere(path, block, betas, whyNot[0] ?? "");
    }
  });
  return refusal === undefined ? { read, transformations } : { refusal };
};
