/** Builds one model message from its stream. Incomplete parts are left out of the content that is kept. */
import { tryParseJson } from "../../contract/parse-json.ts";
import { NO_USAGE, type Usage } from "../../contract/run.ts";
import type { ContentBlock, ToolUseBlock } from "../../model/messages.ts";
import { lengthOf, type ModelEvent, mergeUsage } from "../../model/model-event.ts";
import { ModelFailure } from "../../model/model-failure.ts";
import { GrowingOpaqueBlock } from "../../model/opaque-block.ts";
import { MAX_MESSAGE_LENGTH, ModelInput } from "../turn.ts";
import { acceptedName } from "./conversation.ts";
import { sendable } from "./sendable-content.ts";

/** A block as it grows. `isStopped` distinguishes a finished block from one that the stream broke off in. */
type GrowingBlock =
  | { type: "text"; text: string; isStopped: boolean }
  | { type: "thinking"; thinking: string; signature: string; isStopped: boolean }
  | { type: "redacted_thinking"; data: string; isStopped: boolean }
  | { type: "tool_use"; id: string; name: string; extra: Fields; json: string; isStopped: boolean }
  | { type: "opaque"; growing: GrowingOpaqueBlock; isStopped: boolean };

type Fields = Record<string, unknown>;

/** One model message while it streams. */
export class MessageBuilder {
  readonly #blocks = new Map<number, GrowingBlock>();
  #text = "";
  #usage: Usage = NO_USAGE;
  #stopReason: string | undefined;
  #length = 0;
  #isComplete = false;

  /** Takes the next event. @throws {ModelFailure} when events do not fit together, which means the stream is broken. */
  add(event: ModelEvent): void {
    this.#length += lengthOf(event);
    // The event is left out whole: something in between may send megabytes as one event.
    if (this.isFull) return;
    switch (event.type) {
      case "message_start":
        if (event.message.usage) this.#usage = mergeUsage(this.#usage, event.message.usage);
        return;
      case "content_block_start":
        this.#blocks.set(event.index, startBlock(event.content_block));
        if (event.content_block.type === "text") this.#text += event.content_block.text;
        return;
      case "content_block_delta":
        this.#grow(event.index, event.delta);
        return;
      case "content_block_stop":
        this.#block(event.index).isStopped = true;
        return;
      case "message_delta":
        if (event.usage) this.#usage = mergeUsage(this.#usage, event.usage);
        this.#stopReason = event.delta.stop_reason ?? this.#stopReason;
        return;
      case "message_stop":
        this.#isComplete = true;
    }
  }

  /** Whether `message_stop` has arrived. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether the newest event was left out because the message would be larger than we keep; the rest of the stream is not needed. */
  get isFull(): boolean {
    return this.#length > MAX_MESSAGE_LENGTH;
  }

  /** Nothing for a refusal before any output: the provider counts it, but does not bill it (API release notes). */
  get usage(): Usage {
    return this.#stopReason === "refusal" && this.#blocks.size === 0 ? NO_USAGE : this.#usage;
  }

  /** The model's own stop reason. A message that was cut for its length counts as out of tokens. */
  get stopReason(): string {
    return this.isFull ? "max_tokens" : (this.#stopReason ?? "end_turn");
  }

  /** All text so far, in order of arrival, with nothing between the blocks. */
  get text(): string {
    return this.#text;
  }

  /**
   * The blocks worth keeping, in order: text that is not blank, thinking with its signature, and calls whose input arrived
   * whole, as far as they may be sent back. A paused message ends the next request, and there the API accepts no blanks at the end.
   *
   * @throws {ModelFailure} when a finished call's input is not a JSON object, which means the stream is broken.
   */
  content(): ContentBlock[] {
    const ordered = this.#ordered();
    const isBroken = ordered.some((block) => block.type === "opaque" && block.isStopped && block.growing.isBroken);
    if (isBroken) throw brokenStream("the input of a block of an unknown kind is not JSON");
    const blocks = sendable(
      ordered.map((block) => (block.type === "tool_use" ? finishedCall(block, this.stopReason) : keptBlock(block))),
    );
    const last = blocks.at(-1);
    if (this.stopReason !== "pause_turn" || last?.type !== "text") return blocks;
    return blocks.with(-1, { ...last, text: last.text.trimEnd() });
  }

  /**
   * The same without calls: what is kept of a message that was stopped or broke off. Thinking after a block that is left out goes
   * too: it is bound to all that came before it.
   */
  contentWithoutCalls(): ContentBlock[] {
    const blocks = this.#ordered();
    const gap = blocks.findIndex((block) => block.type === "tool_use" || isUnfinished(block));
    const kept = blocks.map((block, at) => {
      const isBound = gap >= 0 && at > gap && (block.type === "thinking" || block.type === "redacted_thinking");
      return block.type === "tool_use" || isBound ? [] : keptBlock(block);
    });
    return sendable(kept);
  }

  #ordered(): GrowingBlock[] {
    return [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
  }

  #block(index: number): GrowingBlock {
    const block = this.#blocks.get(index);
    if (block === undefined) throw brokenStream(`no content block ${index}`);
    return block;
  }

  #grow(index: number, delta: Extract<ModelEvent, { type: "content_block_delta" }>["delta"]): void {
    const block = this.#block(index);
    if (delta.type === "text_delta" && block.type === "text") {
      block.text += delta.text;
      this.#text += delta.text;
    } else if (delta.type === "thinking_delta" && block.type === "thinking") {
      block.thinking += delta.thinking;
    } else if (delta.type === "signature_delta" && block.type === "thinking") {
      block.signature += delta.signature;
    } else if (delta.type === "input_json_delta" && block.type === "tool_use") {
      block.json += delta.partial_json;
    } else if (delta.type === "opaque_delta" && block.type === "opaque") {
      block.growing.add(delta.delta);
    } else {
      throw brokenStream(`${delta.type} in a ${block.type} block`);
    }
  }
}

const startBlock = (block: Extract<ModelEvent, { type: "content_block_start" }>["content_block"]): GrowingBlock => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, isStopped: false };
    case "thinking":
      return { type: "thinking", thinking: block.thinking, signature: block.signature ?? "", isStopped: false };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: block.data, isStopped: false };
    case "tool_use": {
      const { type, id, name, input: _, ...extra } = block;
      return { type, id, name, extra: withoutNulls(extra), json: "", isStopped: false };
    }
    case "opaque":
      return { type: "opaque", growing: new GrowingOpaqueBlock(block.block), isStopped: false };
  }
};

/** Drops fields that are null: they carry nothing, and a request does not accept null for every field of an answer. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Whether a block of an unknown kind did not come whole. */
const isUnfinished = (block: GrowingBlock): boolean =>
  block.type === "opaque" && (!block.isStopped || block.growing.isBroken);

const keptBlock = (block: Exclude<GrowingBlock, { type: "tool_use" }>): ContentBlock[] => {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return block.signature === "" ? [] : [{ type: "thinking", thinking: block.thinking, signature: block.signature }];
    case "redacted_thinking":
      return [{ type: "redacted_thinking", data: block.data }];
    case "opaque":
      return isUnfinished(block) ? [] : [block.growing.block];
  }
};

/** A call with its input. When tokens run out, the API also closes the half-built block: that one is left out. */
const finishedCall = (block: Extract<GrowingBlock, { type: "tool_use" }>, stopReason: string): ToolUseBlock[] => {
  if (!block.isStopped) return [];
  // The schema copies the object without a key `__proto__`, which a later copy would take as the prototype.
  const input = ModelInput.safeParse(tryParseJson(block.json === "" ? "{}" : block.json));
  const { id, extra } = block;
  const more = Object.keys(extra).length === 0 ? {} : { extra };
  if (input.success) return [{ type: "tool_use", id, name: acceptedName(block.name), input: input.data, ...more }];
  if (CUTS_CALLS.has(stopReason)) return [];
  throw brokenStream(`the input of ${block.name} is not a JSON object`);
};

/** Stop reasons that can interrupt a call. */
export const CUTS_CALLS: ReadonlySet<string> = new Set(["max_tokens", "model_context_window_exceeded", "refusal"]);

const brokenStream = (why: string): ModelFailure =>
  new ModelFailure("model_unavailable", "The model's answer was cut off.", { isRetryable: true, cause: why });
