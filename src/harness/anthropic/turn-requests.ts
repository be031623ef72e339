/**
 * The requests of one turn. Each begins with the whole previous one, byte for byte: only then is thinking accepted, and the cache used.
 * What was sent changes only by a compaction, a shortening, or a refusal that nothing else can resolve (decision 0078).
 */
import type { Usage } from "../../contract/run.ts";
import type { Message } from "../../model/messages.ts";
import type { ModelRequest } from "../../model/model.ts";
import type { Budget, BudgetStop } from "../budget.ts";
import type { ReadInstructions } from "../read-instructions.ts";
import { guidanceOf, saidIn } from "./again/guidance.ts";
import { SaidAgain } from "./again/said-again.ts";
import { behindSummary, coveredTurns, estimateTokens, isCompactionDue, summarize, tokensOf } from "./compaction.ts";
import { type ConversationFacts, type ResumeState, type TurnState, withContext } from "./conversation.ts";
import type { ConversationKeeper } from "./conversation-keeper.ts";
import { plainer, RESETS, type Sending } from "./plainer-conversation.ts";
import { rebind } from "./rebind.ts";
import { type RequestBase, requestOf, roomOf } from "./request-prefix.ts";
import { firstTurn, type SentConversation, sentMessages, shorten, sizeOfConversation } from "./shorten-conversation.ts";

/** When the provider finds a size too long, this share of it counts as too long from then on. */
const LEARNED_SHARE = 0.9;

/** What a turn's requests are made of. */
export type RequestParts = Omit<RequestBase, "dropsBlocks"> & {
  readonly runId: string;
  readonly resumeState: ResumeState;
  /** The turn's state as last saved. */
  readonly state: TurnState;
  readonly keeper: ConversationKeeper;
  /** Undefined when the turn's spending is not limited. */
  readonly budget?: Budget | undefined;
  readonly readInstructions: ReadInstructions;
  /** Adds to the run a model call that left only a bill. The call was made before this step. */
  readonly countDropped: (usage: Usage, step: number) => Promise<void>;
};

/** Why the step must not go on: a summary would exceed the budget. */
type Prepared = BudgetStop | undefined;

/** Builds the requests of one turn, and saves what they depend on. */
export class TurnRequests {
  readonly #parts: RequestParts;
  #sending: Sending;
  /** The state before a change that is only being tried. */
  #saved: TurnState;
  readonly #again: SaidAgain;

  constructor(parts: RequestParts) {
    this.#parts = parts;
    this.#saved = parts.state;
    this.#again = new SaidAgain(parts.readInstructions);
    const { resumeState, state } = parts;
    // After an attempt that died, perhaps only the state still has the guidance: the messages that said it can be gone.
    const guidance = state.guidance ?? resumeState.guidance;
    this.#sending = { resumeState: { ...resumeState, guidance }, state, reset: null };
  }

  /**
   * Does what is due before a step: summarizes earlier turns, or leaves out what is too long. `lastUsage` is the usage of the
   * previous model message, if there is one. Returns the budget's stop, and does nothing, when a summary would exceed it.
   */
  async prepare(current: readonly Message[], lastUsage: Usage | undefined, signal: AbortSignal): Promise<Prepared> {
    await this.#rebind(current);
    const stop = await this.#compactIfDue(current, lastUsage, signal);
    if (stop !== undefined) return stop;
    if (sizeOfConversation(this.#conversation(current)) > this.#maxBytes()) await this.#shorten(current);
    await this.#repeat(current);
    return undefined;
  }

  /** The request for the turn's messages so far. */
  next(current: readonly Message[]): ModelRequest {
    return requestOf(this.#base(), this.#conversation(current));
  }

  /** A shorter request, after the provider found this one too long; undefined when nothing more can be left out. */
  async shorter(current: readonly Message[]): Promise<ModelRequest | undefined> {
    const before = sizeOfConversation(this.#conversation(current));
    const { state } = this.#sending;
    await this.#keep({ ...state.facts, maxBytes: Math.floor(Math.min(this.#maxBytes(), before) * LEARNED_SHARE) });
    await this.#shorten(current);
    await this.#repeat(current);
    if (sizeOfConversation(this.#conversation(current)) < before) return this.next(current);
    // Nothing is learned here: the same request may be accepted when it is sent again, and is not too long then.
    await this.#keepState(state);
    return undefined;
  }

  /**
   * A plainer request, after the provider refused this one permanently: first with earlier turns as plain text, then without
   * them. Undefined when there is no plainer one. It takes effect once the provider accepts it.
   */
  plainer(current: readonly Message[]): ModelRequest | undefined {
    const other = plainer(this.#sending, current);
    if (this.#sending.reset === null) this.#saved = this.#sending.state;
    if (other !== undefined) this.#sending = other;
    return other && this.next(current);
  }

  /** Called when the provider has accepted the newest request: what was tried with it applies from now on. */
  async accept(): Promise<void> {
    const { resumeState, state, reset } = this.#sending;
    if (reset === null) return;
    // Saved before the epoch begins: after a crash in between, the next attempt would find neither the turns nor what was to be done.
    if (state.guidance !== undefined) await this.#parts.keeper.save({ ...this.#saved, guidance: state.guidance });
    const told = await this.#parts.keeper.startEpoch(resumeState.turns, RESETS[reset], state);
    this.#sending = { resumeState, state: told, reset: null };
  }

  /** Accounts for a new release or another model since the turn began. */
  async #rebind(current: readonly Message[]): Promise<void> {
    const { resumeState, state } = this.#sending;
    const binding = { model: this.#parts.model.name, prefixHash: this.#parts.prefix.hash };
    const facts = rebind(state.facts, resumeState, current.length > 1, binding);
    if (facts !== state.facts) await this.#keep(facts);
  }

  async #compactIfDue(
    current: readonly Message[],
    lastUsage: Usage | undefined,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const { resumeState, state } = this.#sending;
    const { model, keeper, budget } = this.#parts;
    const whole = this.#conversation(current);
    const earlier = resumeState.turns.slice(firstTurn(whole));
    const covered = coveredTurns(earlier);
    if (model.compact === undefined || state.hasNoSummary === true || covered.length === 0) return undefined;
    const tokens = this.#inputTokens(lastUsage, whole);
    const isTooLong = sizeOfConversation(whole) > this.#maxBytes();
    if (!isTooLong && !isCompactionDue(model.facts.contextTokens, tokens, state.facts.noSummaryAt)) return undefined;
    // The summary reads nearly everything that the step's own request would.
    const stop = budget?.before(this.next(current));
    if (stop !== undefined) return stop;
    const { guidance } = resumeState;
    const made = await summarize({ whole, covered, guidance, tokens, trigger: "auto" }, this.#base(), signal);
    if (made === undefined) return undefined;
    if ("taken" in made) {
      const step = current.filter(({ role }) => role === "assistant").length + 1;
      if (made.taken !== undefined) await this.#parts.countDropped(made.taken, step);
      const facts = { ...state.facts, noSummaryAt: tokens };
      if (!signal.aborted) await this.#keepState({ ...state, facts, hasNoSummary: true });
      return undefined;
    }
    const behind = behindSummary(made, earlier.slice(covered.length), state.facts);
    this.#saved = await keeper.saveCompaction(made, { ...state, facts: behind.facts });
    this.#sending = { resumeState: behind, state: this.#saved, reset: null };
    return undefined;
  }

  /** Tokens of the next request: counted by the provider as far as it has seen them, and estimated for the rest. */
  #inputTokens(lastUsage: Usage | undefined, whole: SentConversation): number {
    const seen = lastUsage === undefined ? 0 : tokensOf(lastUsage);
    return seen || this.#sending.state.facts.inputTokens || estimateTokens(whole, this.#base());
  }

  /** Says again here what no message that is sent says any more, because it was summarized or left out. */
  async #repeat(current: readonly Message[]): Promise<void> {
    const { state, resumeState } = this.#sending;
    const messages = sentMessages(this.#conversation(current));
    // Nothing may be added after a paused answer: it must be sent back unchanged.
    if (messages.at(-1)?.role === "assistant") return;
    const texts = await this.#again.texts(guidanceOf(resumeState, current), state.facts, messages);
    if (texts.length > 0) await this.#keepState(saidIn(state, resumeState, current, texts));
  }

  async #shorten(current: readonly Message[]): Promise<void> {
    const conversation = this.#conversation(current);
    const cut = shorten(conversation, this.#maxBytes());
    // Thinking after what is left out no longer fits.
    await this.#keep({ ...this.#sending.state.facts, cut, dropsBlocks: true });
  }

  #conversation(current: readonly Message[]): SentConversation {
    const { resumeState, state } = this.#sending;
    const { runId, model } = this.#parts;
    const running = { runId, model: model.name, messages: withContext(current, state) };
    const { compaction, hasOlder } = resumeState;
    return { turns: [...resumeState.turns, running], compaction, hasOlder, cut: state.facts.cut };
  }

  #base(): RequestBase {
    return { ...this.#parts, dropsBlocks: this.#sending.state.facts.dropsBlocks };
  }

  /** Most bytes of messages to send. */
  #maxBytes(): number {
    return Math.max(0, Math.min(roomOf(this.#parts), this.#sending.state.facts.maxBytes ?? Number.POSITIVE_INFINITY));
  }

  #keep(facts: ConversationFacts): Promise<void> {
    return this.#keepState({ ...this.#sending.state, facts });
  }

  async #keepState(state: TurnState): Promise<void> {
    // A change that is only being tried is saved by `accept`.
    if (this.#sending.reset === null) await this.#parts.keeper.save(state);
    this.#sending = { ...this.#sending, state };
  }
}
