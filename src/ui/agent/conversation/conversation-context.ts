/** What the parts of a conversation share. */
import { createContext } from "preact";

/** One conversation on the page. */
export type ConversationLinks = {
  readonly threadId: string;
  /** Starts another turn with this prompt. Rejects with `ApiError`. */
  readonly send: (prompt: string) => Promise<void>;
  /** For when what had the focus goes away: to the composer, or to the log on a touch screen. */
  readonly giveFocusBack: () => void;
};

/** Filled by `Conversation`. */
export const ConversationContext = createContext<ConversationLinks>({
  threadId: "",
  send: async () => {},
  giveFocusBack: () => {},
});
