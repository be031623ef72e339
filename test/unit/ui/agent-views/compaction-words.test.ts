/** What a person is told when they have a chat summarized. */
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../src/ui/actions/api-error.ts";
import { compactedWords, explainCompaction } from "../../../../src/ui/agent/threads/compaction-words.ts";

describe("a summary", () => {
  it("says how much shorter the chat became", () => {
    expect(compactedWords({ tokensBefore: 152_400, tokensAfter: 4_120 })).toBe(
      "Earlier messages were summarized: 152K → 4.1K tokens.",
    );
  });

  it("that was not needed says so", () => {
    expect(compactedWords({ tokensBefore: 310, tokensAfter: 310 })).toBe(
      "There is nothing to summarize in this chat yet.",
    );
  });

  it.each([
    [new ApiError(409, "The thread is busy."), "The agent is at work in this chat. Try again when it is done."],
    [
      new ApiError(503, "The agent is unavailable. Try again."),
      "The summary took too long. Nothing is lost: try again in a while.",
    ],
    [new ApiError(404, "Thread not found."), "Thread not found."],
    [new TypeError("x"), "Something went wrong. Try again."],
  ])("that failed with %s reads: %s", (error, words) => {
    expect(explainCompaction(error)).toBe(words);
  });
});
