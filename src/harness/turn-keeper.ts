/** Where a turn keeps what its requests depend on. Filled by the run; everything is durable before a request that depends on it. */
import type { EventOf } from "../contract/transcript.ts";
import type { OpaqueBlock } from "../model/messages.ts";
import type { ConversationTurn, TurnState } from "./conversation.ts";

/** A summary of earlier turns, as the provider wrote it. */
export type NewCompaction = {
  /** The last turn it covers. */
  readonly upToRunId: string;
  readonly block: OpaqueBlock;
  /** The model that wrote it. */
  readonly model: string;
  /** What is told of it. */
  readonly event: Omit<EventOf<"context_compacted">, "type">;
  /** What later requests depend on from then on, as JSON, where no turn is running that will say it. */
  readonly facts?: string;
};

/**
 * The keeper of one attempt. `saveCompaction` and `startEpoch` change the session's conversation, once however often they are
 * asked, and tell of it in the transcript; they give the state with that noted.
 *
 * @throws {Superseded} once another attempt or an end has overtaken this one.
 */
export type TurnKeeper = {
  /** Keeps the turn's state. */
  save(state: TurnState): Promise<void>;
  /** Keeps a summary in the session; later requests begin with it. */
  saveCompaction(compaction: NewCompaction, state: TurnState): Promise<TurnState>;
  /** Begins the session's conversation anew with these turns. The old one stays in the store. */
  startEpoch(turns: readonly ConversationTurn[], reason: string, state: TurnState): Promise<TurnState>;
};
