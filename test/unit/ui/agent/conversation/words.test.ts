/** Sentences that people read or hear of a run. */
import { describe, expect, it } from "vitest";
import type { NumberedEvent } from "../../../../../src/contract/transcript.ts";
import {
  completedWords,
  endWords,
  incompleteWords,
  spokenWords,
} from "../../../../../src/ui/agent/conversation/announce-events.ts";
import { parseDraft } from "../../../../../src/ui/agent/conversation/draft.ts";
import { explainProblem } from "../../../../../src/ui/agent/conversation/explain-problem.ts";
import { RetryBanner } from "../../../../../src/ui/agent/conversation/item-banners.tsx";
import { prettyText, withoutLiveOutput } from "../../../../../src/ui/agent/conversation/tools/tool-details.tsx";
import { outcomeWords } from "../../../../../src/ui/agent/permission/permission-card.tsx";
import { budgetOutcomeWords, budgetWords } from "../../../../../src/ui/agent/permission/permission-subject.tsx";
import type { ToolItem } from "../../../../../src/ui/agent/stream/transcript-item.ts";
import { ApiError } from "../../../../../src/ui/api/api-error.ts";
import { formatDuration } from "../../../../../src/ui/format/format-usage.ts";
import { vnodeHtml } from "../../../../support/ui/vnode-html.ts";

const at = "2026-11-21T12:00:00.000Z";
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

const END = { type: "run_end" as const, error: null, usage, costUsd: null, steps: 1, durationMs: 1, seq: 3, at };

it.each([
  [0, "0.0 s"],
  [1_449, "1.4 s"],
  [9_960, "10 s"],
  [59_600, "1 min 0 s"],
  [125_000, "2 min 5 s"],
  [3_780_000, "1 h 3 min"],
])("%i ms read %s", (durationMs, words) => {
  expect(formatDuration(durationMs)).toBe(words);
});

describe("what a command's result says beyond its output", () => {
  const parts = [
    { stream: "stdout", text: "1 pass" },
    { stream: "stderr", text: "warning: $& is old\n" },
    { stream: "stdout", text: "ed\n" },
  ] as const;
  const result = "Exit code 1.\nstdout:\n1 passed\nstderr:\nwarning: $& is old\n[A part is left out.]";

  it("is how it ended, and what is left out", () => {
    expect(withoutLiveOutput(result, { parts, leftOut: 0 })).toBe("Exit code 1.\n[A part is left out.]");
  });

  it("is all of it where the output differs or is not there", () => {
    expect(withoutLiveOutput(result, { parts: parts.slice(0, 1), leftOut: 0 })).toBe(result);
    expect(withoutLiveOutput(result, { parts, leftOut: 10 })).toBe(result);
    expect(withoutLiveOutput(result, { parts: [], leftOut: 0 })).toBe(result);
  });
});

describe("a problem", () => {
  it("is told in the server's words", () => {
    expect(explainProblem(new ApiError(401, "Sign in to run the agent."))).toBe("Sign in to run the agent.");
  });

  it("says how long the server wants one to wait", () => {
    const error = new ApiError(429, "Too many runs. Try again later.", { retryAfterSeconds: 30 });
    expect(explainProblem(error)).toBe("Too many runs. Try again in 30 seconds.");
  });

  it.each([
    [
      "The thread is busy.",
      undefined,
      "The agent is working in this chat or summarizing it. Try again when it is done.",
    ],
    ["Thread not found.", undefined, "This chat does not exist any more."],
    [
      "This run has had 8 messages, the limit. Send a new turn.",
      "too_many_messages",
      "The agent takes at most 8 messages while it answers. Queue this one instead.",
    ],
  ])("is told in the screen's words where the server's are for programs: %s", (message, code, words) => {
    expect(explainProblem(new ApiError(409, message, { code }))).toBe(words);
  });

  it("that is none of the server's says so plainly", () => {
    expect(explainProblem(new TypeError("x is undefined"))).toBe("Something went wrong. Try again.");
  });
});

describe("a draft", () => {
  it("comes back with its mode, its key and the way it was sent", () => {
    const sent = { text: "hi", isPlan: true, key: "k", toRun: "r" };
    expect(parseDraft(JSON.stringify(sent))).toEqual(sent);
    expect(parseDraft('{"text":"hi","isPlan":1,"key":2,"toRun":3}')).toEqual({ text: "hi", isPlan: false });
  });

  it("comes back with what it is to replace, and what was being written before", () => {
    const edit = { runId: "r", isRewound: true, aside: { text: "before", isPlan: true } };
    expect(parseDraft(JSON.stringify({ text: "", isPlan: false, edit }))).toEqual({ text: "", isPlan: false, edit });
    expect(parseDraft('{"text":"hi","edit":{"runId":"r","isRewound":1}}')).toEqual({
      ...{ text: "hi", isPlan: false },
      edit: { runId: "r", isRewound: false, aside: { text: "", isPlan: false } },
    });
    expect(parseDraft('{"text":"hi","edit":{"runId":1}}')).toEqual({ text: "hi", isPlan: false });
  });

  it.each([null, "", "not json", "null", "[]", '{"text":1}'])("is empty for %j", (stored) => {
    expect(parseDraft(stored)).toEqual({ text: "", isPlan: false });
  });
});

it.each([
  [{ decision: "allow_always", by: "user" } as const, "You allowed this for the rest of this chat."],
  [{ decision: "allow_always", by: "rule" } as const, "Always allowed in this chat."],
  [{ decision: "expired", by: "system" } as const, "Nobody answered in time, so it was not done."],
])("a reply %j reads: %s", (reply, words) => {
  expect(outcomeWords(reply)).toBe(words);
});

it("a retry names what could not be reached", () => {
  const retry = { type: "retry", key: "r", attempt: 1, delayMs: 1_000, at, isWaiting: false } as const;
  expect(vnodeHtml(RetryBanner({ item: { ...retry, reason: "workspace_unavailable" } }))).toBe(
    '<p class="inline-banner">The agent\'s host could not be reached. Retried (1 of 3).</p>',
  );
});

describe("a budget", () => {
  const budget = { limitUsd: "0.5", spentUsd: "0.4837" };

  it("says what was spent of it", () => {
    expect(budgetWords(budget, "en-US")).toBe("This answer has cost $0.48 of $0.50 so far.");
  });

  it.each([
    ["allow_once", "At $0.48 of $0.50, you let it continue."],
    ["reject", "At $0.48 of $0.50, you stopped it."],
    ["expired", "At $0.48 of $0.50, nobody answered in time, so it stopped."],
    ["aborted", "At $0.48 of $0.50, it was stopped before you answered."],
  ] as const)("that was answered with %s reads: %s", (decision, words) => {
    expect(budgetOutcomeWords(decision, budget, "en-US")).toBe(words);
  });

  it.each([
    ["reject", "Send “Go on” to continue."],
    ["expired", "Send “Go on” to continue."],
    [undefined, "Stopped: the budget is used up. Send “Go on” to continue."],
  ] as const)("whose request says %s is not told again at the end", (decision, words) => {
    const reply = decision && { decision, by: "user" as const, message: undefined };
    const request = {
      requestId: "r",
      title: "",
      subject: { type: "budget" as const, ...budget },
      options: [],
      expiresAt: "",
    };
    const permission = { ...request, isTruncated: false, reply } as const;
    const item = { type: "budget", key: "b", toolCallId: "t", ...budget, permission } as const;
    expect(incompleteWords({ stopReason: "budget", items: [item] })).toBe(words);
    expect(spokenWords([{ ...END, status: "incomplete", stopReason: "budget" }], [item])).toBe(words);
  });

  it("is a limit of its own among the ends", () => {
    expect([
      endWords("incomplete", "budget"),
      endWords("incomplete", "max_tokens"),
      endWords("aborted", "budget"),
    ]).toEqual(["Stopped: the budget is used up.", "The agent hit a limit before it was done.", "Stopped."]);
  });
});

describe("the end that the model chose", () => {
  const spoken = {
    type: "message",
    key: "m",
    messageId: "m",
    step: 1,
    text: "Hello.",
    thinking: "",
    isOpen: false,
  } as const;
  const message = { ...spoken, stopReason: "end_turn" };
  const silent = { ...message, text: " \n", thinking: "All of the answer." };
  const call: ToolItem = {
    ...({ type: "tool", key: "t", toolCallId: "t", messageId: "m", kind: "read", status: "completed" } as const),
    ...{ tool: "present_plan", title: "Plan", input: {}, isInputTruncated: false, live: { parts: [], leftOut: 0 } },
    ...{
      output: "No.",
      isOutputTruncated: false,
      fileChanges: [],
      permission: undefined,
      startedAt: at,
      durationMs: 1,
    },
  };
  const NONE = "The agent ended without an answer. Send “Go on” to continue.";

  it.each([
    ["an answer", "end_turn", [silent, message], undefined],
    ["thinking alone", "end_turn", [message, silent], NONE],
    ["no word after a tool", "end_turn", [message, call, silent], NONE],
    ["a call that ends it, such as a plan's", "end_turn", [silent, call], undefined],
    ["a refusal", "refusal", [silent], "The model declined to answer this."],
    ["nothing yet", "end_turn", [], undefined],
  ] as const)("with %s", (_, stopReason, items, words) => {
    expect(completedWords({ stopReason, items })).toBe(words);
    expect(spokenWords([{ ...END, status: "completed", stopReason }], items)).toBe(words);
  });
});

it("a result that is JSON is indented, any other is left alone", () => {
  expect([prettyText('{"a":1}'), prettyText("{ not json"), prettyText("plain")]).toEqual([
    '{\n  "a": 1\n}',
    "{ not json",
    "plain",
  ]);
});

describe("what is said aloud", () => {
  const delta: NumberedEvent = { type: "text_delta", messageId: "m", text: "Hel", seq: 1, at };
  const end: NumberedEvent = {
    type: "message_end",
    messageId: "m",
    text: "Hello.",
    stopReason: "end_turn",
    usage,
    seq: 2,
    at,
  };

  it("is whole messages, never their pieces", () => {
    expect([spokenWords([delta]), spokenWords([delta, end])]).toEqual([undefined, "Hello."]);
  });

  it.each([
    ["Added: **KO**: 10 held", "Added: KO: 10 held"],
    ['## Done\n\n- *AAPL*, see [its page](/stocks?id=1 "AAPL")\n- [x] `MSFT`', "Done\nAAPL, see its page\nMSFT"],
    ["> quoted __twice__\n\n---\n\n~~old~~ ***new***", "quoted twice\nold new"],
    ["```ts\nconst a = 1;\n```", "const a = 1;"],
    ["| Stock | Held |\n|---|--:|\n| KO | 10 |", "Stock, Held\nKO, 10"],
    ["2 * 3 * 4, snake_case_name, a - b, 5 > 3, **open", "2 * 3 * 4, snake_case_name, a - b, 5 > 3, **open"],
    ["\\*as it is\\* and C:\\Users", "*as it is* and C:\\Users"],
  ])("is a message without its marks: %j", (text, words) => {
    expect(spokenWords([{ ...end, text }])).toBe(words);
  });

  it("is the beginning of a long message, whatever is in it", () => {
    const text = `${"**a** ".repeat(300)}${"[_*`".repeat(50_000)}`;
    expect(spokenWords([{ ...end, text }])).toBe(`${"a ".repeat(200)}…`);
  });

  it("is what became of a message to a run that works", () => {
    const messageId = crypto.randomUUID();
    const given: NumberedEvent = { type: "steer_applied", messageId, step: 2, seq: 1, at };
    const unused: NumberedEvent = { type: "steer_dropped", messageId, seq: 2, at };
    expect([spokenWords([given]), spokenWords([unused])]).toEqual([
      "The agent has your message.",
      "The agent stopped before your message was delivered.",
    ]);
  });

  it("is that earlier messages are a summary now, never the summary", () => {
    const compacted: NumberedEvent = {
      ...{
        type: "context_compacted",
        trigger: "auto",
        tokensBefore: 9,
        tokensAfter: 1,
        summary: "Long.",
        usage,
        seq: 1,
        at,
      },
    };
    expect(spokenWords([compacted])).toBe("Earlier messages were summarized.");
  });

  it("is a fresh start with its reason", () => {
    const reset: NumberedEvent = { type: "context_reset", reason: "Another model answers now.", seq: 1, at };
    expect(spokenWords([reset])).toBe("Started fresh: Another model answers now.");
  });

  it("is not each file that was read for the model", () => {
    const added: NumberedEvent = { type: "context_added", source: "instructions", path: "AGENTS.md", seq: 1, at };
    expect(spokenWords([added])).toBeUndefined();
  });

  it("is an end that was not a good one, with its reason", () => {
    const error = { code: "model_auth", message: "No credential." } as const;
    expect(spokenWords([{ ...END, status: "failed", stopReason: "error", error }])).toBe(
      "Something went wrong: no credential.",
    );
  });
});
