/** What a session gives to a run, and takes from it when it is over. */
import type { ConversationTurn } from "../harness/conversation.ts";
import type { BlockPage, ConversationHead } from "./conversation-store.ts";

/** A page of a conversation; `head` comes with the first. */
export type LoadedPage = BlockPage & { readonly head?: ConversationHead };

/** A turn that is over, as its run hands it over. A run of an earlier release gives no facts. */
export type EndedTurn = {
  readonly turn: ConversationTurn;
  /** Set for a turn that must not be sent again: the line that is sent in its place. */
  readonly omitted: string | undefined;
  /** What later requests depend on, as JSON. */
  readonly facts: string | undefined;
  /** Notices that the run has told. */
  readonly told: readonly number[];
};
