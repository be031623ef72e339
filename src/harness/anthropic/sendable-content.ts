/** Which parts of an answer may be sent back: the API checks which blocks are next to each other. */
import type { ContentBlock } from "../../model/messages.ts";

/**
 * The blocks that are kept of an answer, without what the API refuses when it comes back:
 * - thinking right after other thinking, where the block between them is left out, such as a blank text
 *   (https://github.com/Yeachan-Heo/gajae-code/pull/4418), and all thinking after it, which is bound to it;
 * - words and thinking after the last call: once the call has its result, they count as words put into the model's mouth
 *   (https://github.com/Kilo-Org/kilocode/pull/13748).
 *
 * `byPlace` has, for each block that came, in order, what is kept of it: nothing for a block that is left out.
 */
export const sendable = (byPlace: readonly (readonly ContentBlock[])[]): ContentBlock[] => {
  const kept = byPlace.flatMap((blocks, at) => blocks.map((block) => ({ at, block })));
  const parted = kept.findIndex(({ at, block }, index) => {
    const before = kept[index - 1];
    return before !== undefined && isThinking(before.block) && isThinking(block) && at - before.at > 1;
  });
  const blocks = kept.flatMap(({ block }, index) =>
    parted >= 0 && index >= parted && isThinking(block) ? [] : [block],
  );
  const lastCall = blocks.findLastIndex(({ type }) => type === "tool_use");
  const end = blocks.findLastIndex((block, index) => index <= lastCall || !isWords(block)) + 1;
  return lastCall < 0 ? blocks : blocks.slice(0, end);
};

/** Whether a block is the model's thinking, readable or not. */
export const isThinking = ({ type }: ContentBlock): boolean => type === "thinking" || type === "redacted_thinking";

const isWords = (block: ContentBlock): boolean => block.type === "text" || isThinking(block);
