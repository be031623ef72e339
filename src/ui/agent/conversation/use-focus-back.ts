/** Keeps the focus within a conversation when the part that has it goes away. */
import type { RefObject } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { ConversationContext } from "./conversation-context.ts";

/** Put the answered ref on the part: what had the focus in it hands it back, instead of to the page. */
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
