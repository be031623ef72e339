/** What a person is told when they have a chat summarized. */
import { describe, expect, it } from "vitest";
import { compactedWords, explainCompaction } from "../../../../../src/ui/agent/panel/compact-dialog.tsx";
import { ApiError } from "../../../../../src/ui/api/api-error.ts";

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
    [
      new ApiError(409, "The thread is busy."),
      "The agent is working in this chat or summarizing it. Try again when it is done.",
    ],
    [new ApiError(503, "The agent is unavailable. Try again."), "The agent is unavailable. Try again."],
    [
      new ApiError(503, "The agent is paused here. Try again later.", { retryAfterSeconds: 300 }),
      "The agent is paused here. Try again in 5 minutes.",
    ],
    [new ApiError(404, "Thread not found."), "This chat does not exist any more."],
    [new TypeError("x"), "Something went wrong. Try again."],
  ])("that failed with %s reads: %s", (error, words) => {
    expect(explainCompaction(error, 119_999)).toBe(words);
  });

  it("that had all the time there is says that this was too little", () => {
    const error = new ApiError(503, "The agent is unavailable. Try again.", { retryAfterSeconds: 5 });
    expect(explainCompaction(error, 120_000)).toBe("The summary took too long. Nothing is lost. Try again later.");
  });
});
