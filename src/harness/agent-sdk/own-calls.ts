/** Books what the SDK's own model calls used, such as its summaries. These calls are not streamed, but the SDK's count includes them. */
import { addUsage, NO_USAGE, type Usage } from "../../contract/run.ts";
import type { LastCalls } from "./last-calls.ts";
import type { SdkResult } from "./sdk-message.ts";

/** The calls between two results of a host's turn. */
export class OwnCalls {
  #streamed = NO_USAGE;

  /** Counts a message that was streamed, even one that is dropped: the SDK counts both. */
  addStreamed(usage: Usage): void {
    this.#streamed = add(this.#streamed, usage);
  }

  /**
   * Books what the SDK has counted beyond the streamed messages, as a message that is dropped at once. Books nothing if the SDK does not
   * count.
   */
  async book(
    { model_usage_since_last_result: counts = {} }: SdkResult,
    { calls, newId }: { readonly calls: LastCalls; readonly newId: () => string },
  ): Promise<void> {
    const counted = Object.values(counts).reduce(add, NO_USAGE);
    const own = less(counted, this.#streamed);
    this.#streamed = NO_USAGE;
    if (Object.values(own).every((tokens) => tokens === 0)) return;
    const messageId = newId();
    await calls.journal.openMessage({ messageId, step: calls.steps + 1 }, own);
    await calls.journal.discardMessage(messageId, own);
  }
}

const hourOf = ({ cacheWrite1hTokens = 0 }: Usage): number => cacheWrite1hTokens;

/** Unlike the sum of a run, this includes the tokens that are cached for an hour. */
const add = (one: Usage, other: Usage): Usage => ({
  ...addUsage(one, other),
  cacheWrite1hTokens: hourOf(one) + hourOf(other),
});

const less = (all: Usage, part: Usage): Usage => ({
  ...(hourOf(all) > hourOf(part) && { cacheWrite1hTokens: hourOf(all) - hourOf(part) }),
  inputTokens: Math.max(0, all.inputTokens - part.inputTokens),
  outputTokens: Math.max(0, all.outputTokens - part.outputTokens),
  cacheReadTokens: Math.max(0, all.cacheReadTokens - part.cacheReadTokens),
  cacheWriteTokens: Math.max(0, all.cacheWriteTokens - part.cacheWriteTokens),
});
