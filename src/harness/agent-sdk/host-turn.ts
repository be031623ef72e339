/** One turn of the host: its lines become commits of the journal, in their order, and its questions are answered. */
import { log } from "../../contract/log.ts";
import type { Usage } from "../../contract/run.ts";
import type { SettleDeps } from "../settle-calls.ts";
import { MAX_STEPS } from "../turn.ts";
import type { AgentHost } from "./agent-host.ts";
import { type Asked, answerQuestion, brokenOff, type Question, sendAnswer } from "./answer-question.ts";
import type { TurnCall, TurnLine } from "./host-wire.ts";
import type { LastCalls } from "./last-calls.ts";
import { OwnCalls } from "./own-calls.ts";
import { fileChangeOf, resultOf } from "./sdk-calls.ts";
import { codeOf, heldUpUntilS, type SdkTrouble } from "./sdk-failure.ts";
import { isOutOfSteps, SdkMessage, type SdkResult, usageOf } from "./sdk-message.ts";
import { StreamedMessage } from "./streamed-message.ts";

/** What a host's turn works with. */
export type HostTurnParts = {
  readonly host: AgentHost;
  readonly calls: LastCalls;
  readonly deps: SettleDeps;
  readonly newId: () => string;
};

/** How the turn ended, as far as its lines say. */
export type HostTurnEnd = {
  /** Undefined when its process was lost or stopped. */
  readonly result: SdkResult | undefined;
  readonly asked: Asked | undefined;
  /** What may explain a result that is an error. */
  readonly trouble: SdkTrouble;
};

/** Why a turn is cut: its model was called as often as a turn may, or the open message gives a call the id of another call. */
export type TurnCut = "out_of_steps" | "used_id";

/** Follows one turn. Throws `WorkspaceError` when the host does not answer; `open` is then a message that was cut off. */
export class HostTurn {
  readonly #parts: HostTurnParts;
  readonly #call: TurnCall;
  #open: StreamedMessage | undefined;
  /** What came while a message was open and has to wait: the journal knows the message's calls only once the message is closed. */
  #held: { readonly work: () => Promise<void>; readonly question: Question | undefined }[] = [];
  #root: string | undefined;
  #hasStarted = false;
  #asked: Asked | undefined;
  #result: SdkResult | undefined;
  #cut: TurnCut | undefined;
  readonly #ownCalls = new OwnCalls();
  #trouble: SdkTrouble = { word: undefined, resetsAtS: undefined };

  constructor(call: TurnCall, parts: HostTurnParts) {
    this.#call = call;
    this.#parts = parts;
  }

  /** Whether the host has begun it. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** The message that is streaming. */
  get open(): StreamedMessage | undefined {
    return this.#open;
  }

  /** Why the turn is cut, though the SDK would go on; undefined if it is not. The host may have to be stopped. */
  get cut(): TurnCut | undefined {
    return this.#result !== undefined && isOutOfSteps(this.#result) ? "out_of_steps" : this.#cut;
  }

  async run(signal: AbortSignal): Promise<HostTurnEnd> {
    for await (const line of this.#parts.host.turn(this.#call, signal)) {
      await this.#take(line, signal);
      if (this.#cut !== undefined) break;
    }
    return { result: this.#result, asked: this.#asked, trouble: this.#trouble };
  }

  async #take(line: TurnLine, signal: AbortSignal): Promise<void> {
    this.#hasStarted = true;
    // The message may name files on the person's machine, so it is for the logs alone.
    if (line.type === "ended" && line.end === "lost") log.warn("An agent's process was lost.", { said: line.message });
    const question = line.type === "permission" || line.type === "tool" ? line : undefined;
    if (question !== undefined) await this.#afterMessage(() => this.#answer(question, signal), question);
    const message = line.type === "message" ? SdkMessage.safeParse(line.message).data : undefined;
    switch (message?.type) {
      case "stream_event":
        return await this.#stream(message.event);
      case "assistant":
        if (this.#open !== undefined) {
          this.#open.calls.push(...message.message.content);
          this.#open.place = message.uuid ?? this.#open.place;
        }
        this.#trouble = { ...this.#trouble, word: message.error ?? this.#trouble.word };
        return;
      case "user":
        return await this.#afterMessage(() => this.#end(message));
      case "rate_limit_event":
        this.#trouble = { ...this.#trouble, resetsAtS: heldUpUntilS(message.rate_limit_info) };
        return;
      case "system":
        return await this.#note(message);
      case "result":
        this.#result = message;
        if (this.#open === undefined) await this.#ownCalls.book(message, this.#parts);
    }
  }

  async #stream(event: Extract<SdkMessage, { type: "stream_event" }>["event"]): Promise<void> {
    const { journal } = this.#parts.calls;
    const open = this.#open;
    switch (event.type) {
      case "message_start":
        // The SDK ends each message that it begins (decision 0097). If it did not end one, that message must not stay open.
        if (open !== undefined) await this.#discard(open);
        // Counted here as well, because a host of an earlier release does not count.
        this.#cut = this.#parts.calls.steps >= MAX_STEPS ? "out_of_steps" : undefined;
        return this.#cut === undefined ? await this.#openMessage(usageOf(event.message.usage)) : undefined;
      case "content_block_delta": {
        const { text, thinking, partial_json: input } = event.delta;
        if (open === undefined) return;
        journal.countOutput(open.messageId, text ?? thinking ?? input ?? "");
        if (text) journal.textDelta(open.messageId, open.add(text));
        if (thinking) journal.thinkingDelta(open.messageId, thinking);
        return;
      }
      case "message_delta":
        if (open === undefined) return;
        open.usage = usageOf(event.usage, open.usage);
        open.stopReason = event.delta.stop_reason ?? open.stopReason;
        return;
      case "message_stop":
        // The SDK itself ends a message that broke off. It then goes on with the message's calls, or streams the message again.
        if (open?.stopReason === undefined && open?.calls.length === 0) await this.#discard(open);
        else if (open !== undefined) await this.#close(open);
    }
  }

  async #openMessage(usage: Usage): Promise<void> {
    const { calls, newId } = this.#parts;
    const message = new StreamedMessage(newId(), calls.steps + 1, usage);
    await calls.journal.openMessage({ messageId: message.messageId, step: message.step }, usage);
    this.#open = message;
  }

  async #discard({ messageId, usage }: StreamedMessage): Promise<void> {
    const questions = this.#held.flatMap(({ question }) => question ?? []);
    [this.#open, this.#held] = [undefined, []];
    this.#ownCalls.addStreamed(usage);
    await this.#parts.calls.journal.discardMessage(messageId, usage);
    // The host asks one question at a time: a question without an answer would hold up all calls that follow.
    for (const one of questions) await sendAnswer(this.#parts.host, this.#call.turnId, one, brokenOff(one));
  }

  async #close(open: StreamedMessage): Promise<void> {
    const { calls, deps } = this.#parts;
    this.#cut = calls.areFresh(open.calls.map(({ id }) => id)) ? undefined : "used_id";
    if (this.#cut !== undefined) return;
    this.#open = undefined;
    this.#ownCalls.addStreamed(open.usage);
    await calls.closeMessage(open.closed(), open.toolCalls([...deps.tools.values()], this.#root));
    for (const { work } of this.#held.splice(0)) await work();
  }

  async #afterMessage(work: () => Promise<void>, question?: Question): Promise<void> {
    if (this.#open === undefined) await work();
    else this.#held.push({ work, question });
  }

  async #answer(question: Question, signal: AbortSignal): Promise<void> {
    const { host, calls, deps } = this.#parts;
    const { answer, asked } = await answerQuestion(question, calls, deps, host, signal);
    this.#asked ??= asked;
    await sendAnswer(host, this.#call.turnId, question, answer);
  }

  /** Ends calls with the SDK's results. Actions, and calls that a person rejected, have already ended. */
  async #end({ message, tool_result_meta: meta }: Extract<SdkMessage, { type: "user" }>): Promise<void> {
    const { calls, deps } = this.#parts;
    for (const result of message.content) {
      const call = calls.find(result.tool_use_id);
      if (call === undefined || call.state.type === "ended" || call.toolUseId === this.#asked?.call.toolUseId) continue;
      const end = resultOf(call, result, meta);
      const change = end.status === "completed" ? fileChangeOf(deps.journal.shown(call.toolCallId)) : undefined;
      await calls.end(call, end, change);
    }
  }

  async #note(message: Extract<SdkMessage, { type: "system" }>): Promise<void> {
    // The SDK asks another model, though that is switched off (`query-options`): what the first model said is dropped.
    if (message.subtype === "model_refusal_fallback" && this.#open !== undefined) await this.#discard(this.#open);
    // `init` is sent again if the SDK goes on after a result, with a message that was waiting.
    if (message.subtype === "init") [this.#root, this.#result] = [message.cwd, undefined];
    if (message.subtype !== "api_retry") return;
    const { attempt = 1, retry_delay_ms: delayMs = 0, error_status: status } = message;
    const retry = { attempt, delayMs: Math.round(delayMs), reason: codeOf(status ?? undefined) };
    await this.#parts.calls.journal.modelRetry(retry);
  }
}
