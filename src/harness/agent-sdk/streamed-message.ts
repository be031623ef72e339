/** A message of the model while it streams, and what becomes of it. */
import type { Usage } from "../../contract/run.ts";
import type { ClosedMessage } from "../turn.ts";
import type { ToolUse } from "./sdk-message.ts";

/** A message that is open in the journal. */
export class StreamedMessage {
  readonly messageId: string;
  readonly step: number;
  readonly calls: ToolUse[] = [];
  text = "";
  stopReason = "end_turn";
  usage: Usage;

  constructor(messageId: string, step: number, usage: Usage) {
    this.messageId = messageId;
    this.step = step;
    this.usage = usage;
  }

  /** As it is kept. */
  closed(stopReason = this.stopReason): ClosedMessage {
    const { messageId, step, text, usage } = this;
    return { messageId, step, content: { text }, text, stopReason, usage };
  }
}
