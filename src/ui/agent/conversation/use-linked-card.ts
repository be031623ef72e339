/** Goes to the card that the address names after its `#`, as the link of a notice does. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect } from "preact/hooks";

/**
 * Handles a press on a notice whose chat is already open: the service worker names the card. Used once for the whole screen, because the
 * list of chats may cover the cards. The new `#` is a step in the history, which closes that list.
 */
export const useNoticePresses = (): void =>
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    const onMessage = ({ data, ports: [port] }: MessageEvent<unknown>): void => {
      // Answered here too, for a chat that has just been opened: the code that answers on every screen starts seconds later.
      if (data === "place?") port?.postMessage(location.pathname + location.search);
      if (typeof data === "object" && data !== null && "hash" in data) location.hash = String(data.hash);
    };
    navigator.serviceWorker.addEventListener("message", onMessage);
    return () => navigator.serviceWorker.removeEventListener("message", onMessage);
  }, []);

type CardLinks = {
  /** The log is not drawn, so no card could take the focus. */
  readonly isHidden: boolean;
  readonly hold: (card: HTMLElement) => void;
};

/** Goes to the card once it is shown, which takes a while on a page that has just opened. `content` changes with anything in the log. */
export const useLinkedCard = (log: RefObject<HTMLElement>, content: unknown, { isHidden, hold }: CardLinks): void => {
  const go = useCallback((): void => {
    if (isHidden) return;
    const card = location.hash.startsWith("#request-") ? document.getElementById(location.hash.slice(1)) : null;
    if (!card || !log.current?.contains(card)) return;
    // Goes there only once: coming back, or a reload, leads to the chat.
    history.replaceState(history.state, "", location.pathname + location.search);
    hold(card);
    card.focus({ preventScroll: true });
  }, [log, hold, isHidden]);
  useLayoutEffect(go, [content, go]);
  useEffect(() => {
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, [go]);
};
