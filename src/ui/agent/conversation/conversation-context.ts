/** What the parts of a conversation share. */
import { createContext, type RefObject } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";

/** A message that is being changed, the run that it started, and whether that began in plan mode. */
export type EditedMessage = { readonly runId: string; readonly text: string; readonly isPlan: boolean };

/** What `Conversation` gives to its parts. */
export type ConversationLinks = {
  readonly threadId: string;
  /**
   * Starts another turn with this prompt, in plan mode if `isPlan`. The same `key` starts only one. `isAgain`: the prompt was sent by that
   * key before, and the response may have been lost. Rejects with `ApiError`.
   */
  readonly send: (prompt: string, isPlan: boolean, key: string, isAgain?: boolean) => Promise<void>;
  /** Puts one of the person's messages into the composer. When it is sent, the chat first goes back to before that message's run. */
  readonly edit: (message: EditedMessage) => void;
  /** Whether the run of a message began in plan mode. */
  readonly wasPlanned: (runId: string) => boolean;
  /** Shows a branch of this thread in its place, with the same model. */
  readonly openThread: (threadId: string) => void;
  /** Shows a new thread in this place, and forgets this one, which does not exist. */
  readonly openNew: () => void;
  /** Moves the focus to the composer, or to the log on a touch screen, when the focused element disappears. */
  readonly giveFocusBack: () => void;
};

/** Provided by `Conversation`. */
export const ConversationContext = createContext<ConversationLinks>({
  threadId: "",
  send: async () => {},
  edit: () => {},
  wasPlanned: () => false,
  openThread: () => {},
  openNew: () => {},
  giveFocusBack: () => {},
});

/** Put the returned ref on a part that may disappear while it has the focus. The focus then goes where `giveFocusBack` puts it. */
export const useFocusBack = <Part extends HTMLElement>(): RefObject<Part> => {
  const { giveFocusBack } = useContext(ConversationContext);
  const part = useRef<Part>(null);
  useLayoutEffect(
    () => () => {
      if (part.current?.contains(document.activeElement)) giveFocusBack();
    },
    [giveFocusBack],
  );
  return part;
};
