/** What is said and done in the conversations of the page of parts. */

import type { QuestionState } from "../../../src/ui/agent/stream/question-state.ts";
import type { MessageItem, PermissionReply, ToolItem, UserItem } from "../../../src/ui/agent/stream/transcript-item.ts";

export const ANSWER = `You own **six** stocks worth [about](https://example.com/report) $98,412.

# Largest

1. Apple, 60 shares
2. SAP, 12 shares

## What to look at

- NVIDIA is *below* your buy target.
- \`SAP\` has no target.

> A price of Friday is no price of today.`;

export const CODE_ANSWER = `This reads the list:

\`\`\`ts
// Sums what is held.
const total = stocks.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
if (total > 1_000) return "enough";
\`\`\`

| Stock | Quantity | Average cost | Last price | Gain | Of which currency |
|---|---:|---:|---:|---:|---:|
| Apple | 60 | $180.50 | $226.84 | $2,780.40 | $0.00 |
| SoftBank | 1,234,567 | ¥7,100 | ¥9,105 | ¥2,475,306,835 | $1,204,332.10 |

The mean is $\\frac{1}{n}\\sum_{i=1}^{n} x_i$ and its error $\\sigma / \\sqrt{n}$.`;

export const user = (text: string): UserItem => ({ type: "user", key: "user", text, isTruncated: false });

export const says = (key: string, text: string, more: Partial<MessageItem> = {}): MessageItem => ({
  ...{ type: "message", key, messageId: key, step: 1, text, thinking: "", isOpen: false, stopReason: "end_turn" },
  ...more,
});

type CallOptions = Partial<Omit<ToolItem, "permission" | "question">> & {
  readonly permission?: PermissionReply["decision"];
  readonly question?: QuestionState["reply"];
};

/** A call; `permission` and `question` are how it was answered. */
export const toolCall = (
  key: string,
  tool: string,
  title: string,
  { permission, question, ...more }: CallOptions = {},
): ToolItem => ({
  ...{
    type: "tool",
    key,
    toolCallId: key,
    messageId: key,
    tool,
    title,
    input: { symbol: "AAPL" },
    isInputTruncated: false,
  },
  ...{
    kind: "read",
    status: "completed",
    live: { parts: [], leftOut: 0 },
    output: undefined,
    isOutputTruncated: false,
  },
  ...{ fileChanges: [], startedAt: "2026-11-20T10:00:00.000Z", durationMs: 120 },
  ...more,
  permission: permission && {
    ...{ requestId: key, title, subject: { type: "action", name: tool, input: {} }, options: [], isTruncated: false },
    ...{ expiresAt: "2026-11-21T10:00:00.000Z" },
    reply: {
      decision: permission,
      by: permission === "expired" ? "system" : "user",
      message: permission === "reject" ? "Not this one." : undefined,
    },
  },
  ...(question && {
    question: {
      ...{ requestId: QUESTION_ID, expiresAt: "2026-11-21T10:00:00.000Z", reply: question },
      questions: [
        { question: "Which market is meant?", options: [{ label: "NASDAQ" }, { label: "XETRA" }], multiple: false },
      ],
    },
  }),
});

const QUESTION_ID = JSON.parse('"0193f5c0-0000-7000-8000-0000000000aa"');
