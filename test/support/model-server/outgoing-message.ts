/** A message as it goes out: turns frames into events, signs thinking, and keeps what must come back as it was sent. */
import { z } from "zod";
import { type MadeBlocks, proofOf } from "./made-blocks.ts";
import { COUNTED, wireUsage } from "./message-frames.ts";
import { countInput, countOutput } from "./prompt-cache.ts";
import type { Frame, Transformation } from "./reply.ts";
import type { Call } from "./rules/call.ts";
import { isKnownKind } from "./rules/fields.ts";
import { type Block, isThinking } from "./rules/request-shape.ts";
import type { ReadPrefix } from "./rules/thinking-blocks.ts";

/** An event of the stream. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

const Fields = z.record(z.string(), z.unknown());
const Started = z.object({ index: z.int(), content_block: z.looseObject({ type: z.string() }) });
const Grown = z.object({ index: z.int(), delta: z.looseObject({ type: z.string() }) });
const Stopped = z.object({ index: z.int() });
const Ended = z.object({ delta: z.looseObject({ stop_reason: z.string().nullish() }), usage: Fields.optional() });

/** Whether the text of thinking is shown. Current models leave it out unless they are asked for it. */
const showsThinking = ({ request, model }: Call): boolean => {
  const display = request.thinking?.display;
  if (display === undefined || display === null)
    return request.thinking?.type === "between_tools" || model?.isClaude5 === false;
  return display !== "omitted";
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return {};
  }
};

/** One answer while it is sent. */
export class OutgoingMessage {
  /** The finished blocks, as the client has them. */
  readonly content: Block[] = [];
  readonly #growing = new Map<number, Record<string, unknown> & Block>();
  readonly #json = new Map<number, string>();
  readonly #call: Call;
  readonly #made: MadeBlocks;
  readonly #read: ReadPrefix;
  /** What happened to the request's thinking; the client is told only under that beta. */
  readonly transformations: readonly Transformation[];
  #envelope: Readonly<Record<string, unknown>> = {};
  #answeredBefore: readonly unknown[] = [];

  constructor(call: Call, made: MadeBlocks, read: ReadPrefix, transformations: readonly Transformation[]) {
    this.#call = call;
    this.#made = made;
    this.#read = read;
    this.transformations = transformations;
  }

  /** Bodies of the script's requests that were answered: what they marked is in the prompt cache. */
  countAfter(answeredBefore: readonly unknown[]): void {
    this.#answeredBefore = [...answeredBefore];
  }

  get #counted(): Readonly<Record<string, unknown>> {
    const output = countOutput(this.content);
    return wireUsage({ ...countInput(this.#call.request, this.#answeredBefore), output });
  }

  /** The id of the model that answers, where the request has its alias. */
  get #model(): string {
    return this.#call.model?.id ?? this.#call.request.model;
  }

  /** The events of a frame; none for one that is about bytes or time. */
  events(frame: Frame): WireEvent[] {
    if (frame.type === "event") return [this.#take(frame.event)];
    if (frame.type === "summary") return this.#summarize(frame);
    if (frame.type === "sign")
      return [this.#delta(frame.index, "signature_delta", "signature", this.#sign(frame.index))];
    if (frame.type === "thinking" && showsThinking(this.#call))
      return [this.#delta(frame.index, "thinking_delta", "thinking", frame.text)];
    return [];
  }

  #delta(index: number, type: string, field: string, value: string): WireEvent {
    return this.#take({ type: "content_block_delta", index, delta: { type, [field]: value } });
  }

  #summarize({ index, content, inDelta, fields }: Extract<Frame, { type: "summary" }>): WireEvent[] {
    const { system, tools, builder, summary: earlier } = this.#read;
    const signature = this.#made.newSignature();
    const keepsThinking = this.#call.model?.hasPrefixCheck === true;
    this.#made.keepSummary({
      signature,
      content,
      system,
      tools,
      keepsThinking,
      entries: [...builder.entries],
      earlier,
    });
    const block = { type: "compaction", content: inDelta ? null : content, ...fields, signature };
    const start = this.#take({ type: "content_block_start", index, content_block: block });
    return inDelta ? [start, this.#delta(index, "compaction_delta", "content", content)] : [start];
  }

  #sign(index: number): string {
    const signature = this.#made.newSignature();
    this.#bind(signature, String(this.#growing.get(index)?.thinking ?? ""));
    return signature;
  }

  #bind(proof: string, text: string | undefined): void {
    const { system, tools, builder, lastThinking, summary } = this.#read;
    const binding = { text, model: this.#model, system, tools, entries: [...builder.entries] };
    const last = this.content.at(-1);
    const neighbour = last !== undefined && isThinking(last) ? proofOf(last) : undefined;
    this.#made.bind(proof, { ...binding, neighbour, before: lastThinking, summary: summary?.signature });
    this.#read.lastThinking = proof;
  }

  #take(event: WireEvent): WireEvent {
    switch (event.type) {
      case "message_start":
        return this.#start(event);
      case "content_block_start": {
        const { index, content_block } = Started.parse(event);
        this.#growing.set(index, { ...content_block });
        break;
      }
      case "content_block_delta":
        this.#grow(event);
        break;
      case "content_block_stop":
        this.#finish(Stopped.parse(event).index);
        break;
      case "message_delta":
        return this.#end(event);
    }
    return event;
  }

  #end(event: WireEvent): WireEvent {
    const { delta, usage } = Ended.parse(this.#withCounts(event));
    if (delta.stop_reason === "pause_turn") this.#made.keepPaused(this.content);
    const all = { ...Fields.catch({}).parse(this.#envelope.usage), ...usage };
    this.#envelope = { ...this.#envelope, ...delta, usage: all };
    return { ...event, usage };
  }

  /** Puts what was counted where a script says so. */
  #withCounts(event: WireEvent): WireEvent {
    const usage = event.usage === COUNTED ? this.#counted : Fields.catch({}).parse(event.usage);
    const [iteration] = Array.isArray(usage.iterations) ? usage.iterations : [];
    const counted = iteration === COUNTED ? { iterations: [{ type: "compaction", ...this.#counted }] } : {};
    return { ...event, usage: { ...usage, ...counted } };
  }

  /** The message in one piece, for a request that does not stream. */
  whole(): Readonly<Record<string, unknown>> {
    return { ...this.#envelope, content: this.content };
  }

  #start(event: WireEvent): WireEvent {
    const reported = this.#call.betas.has("thinking-binding-controls-2026-08-01")
      ? { input_transformations: this.transformations }
      : {};
    const opened = Fields.parse(event.message);
    const usage = opened.usage === COUNTED ? { ...this.#counted, output_tokens: 1 } : opened.usage;
    this.#envelope = { ...opened, usage, model: this.#model, ...reported };
    return { ...event, message: this.#envelope };
  }

  #grow(event: WireEvent): void {
    const { index, delta } = Grown.parse(event);
    const block = this.#growing.get(index);
    if (block === undefined) return;
    if (delta.type === "text_delta") block.text = `${block.text}${delta.text}`;
    if (delta.type === "thinking_delta") block.thinking = `${block.thinking}${delta.thinking}`;
    if (delta.type === "compaction_delta") block.content = delta.content;
    if (delta.type === "signature_delta") block.signature = delta.signature;
    if (delta.type === "input_json_delta") this.#json.set(index, `${this.#json.get(index) ?? ""}${delta.partial_json}`);
  }

  #finish(index: number): void {
    const block = this.#growing.get(index);
    if (block === undefined) return;
    if (block.type === "tool_use") block.input = parsed(this.#json.get(index) ?? "");
    if (block.type === "redacted_thinking") this.#bind(String(block.data), undefined);
    if (!isKnownKind(block.type)) this.#made.keepOpaque(block);
    this.content.push(block);
    const path = `messages.${this.#call.request.messages.length}.content.${this.content.length - 1}`;
    this.#read.builder.add("assistant", block, path);
  }
}
