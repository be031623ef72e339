/** A message of the model while it streams, and what becomes of it. */
import { cutText } from "../../contract/plain-text.ts";
import type { Usage } from "../../contract/run.ts";
import type { Tool } from "../tools/tool.ts";
import { type ClosedMessage, MAX_MESSAGE_LENGTH, type ToolCall } from "../turn.ts";
import { shownCall } from "./sdk-calls.ts";
import type { ToolUse } from "./sdk-message.ts";
import type { SdkContent } from "./sdk-turn-state.ts";

/** A message that is open in the journal. */
export class StreamedMessage {
  readonly messageId: string;
  readonly step: number;
  readonly calls: ToolUse[] = [];
  text = "";
  /** Undefined until the provider gives one; a message that breaks off never has one. */
  stopReason: string | undefined;
  /** The SDK's id of its newest block, which marks the place a person can go back to. */
  place: string | undefined;
  usage: Usage;

  constructor(messageId: string, step: number, usage: Usage) {
    this.messageId = messageId;
    this.step = step;
    this.usage = usage;
  }

  /** Takes more text, and returns what is kept of that text. */
  add(text: string): string {
    const kept = cutText(text, MAX_MESSAGE_LENGTH - this.text.length);
    this.text += kept;
    return kept;
  }

  /**
   * The calls that the message made, in their order, as the run keeps them. `root`: the directory in which the SDK works, if it is known.
   */
  toolCalls(tools: readonly Tool[], root: string | undefined): ToolCall[] {
    return this.calls.map((use, index) => ({
      ...shownCall(use, tools, root),
      toolCallId: `${this.step}-${index}`,
      messageId: this.messageId,
      state: { type: "pending" },
    }));
  }

  /** The message as it is kept. */
  closed(stopReason = this.stopReason ?? "tool_use"): ClosedMessage {
    const { messageId, step, text, usage, place } = this;
    const content: SdkContent = { text, ...(place === undefined ? {} : { place }) };
    return { messageId, step, content, text, stopReason, usage };
  }
}
