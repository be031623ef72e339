/** Goes to the card that the address names after its `#`, as the link of a notice does. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect } from "preact/hooks";

/**
 * A notice was pressed whose chat is open: the service worker says which card it is about. For the whole screen, because the list of
 * chats may cover the cards; the step in the history that comes with another `#` closes it.
 */
export const useNoticePresses = (): void =>
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data === "object" && data !== null && "hash" in data) location.hash = String(data.hash);
    };
    navigator.serviceWorker.addEventListener("message", onMessage);
    return () => navigator.serviceWorker.removeEventListener("message", onMessage);
  }, []);

/** Once the card is there, which on a page that has just opened takes a while. `content` changes with anything shown in the log. */
export const useLinkedCard = (
  log: RefObject<HTMLElement>,
  content: unknown,
  hold: (card: HTMLElement) => void,
): void => {
  const go = useCallback((): void => {
    const card = location.hash.startsWith("#request-") ? document.getElementById(location.hash.slice(1)) : null;
    if (!card || !log.current?.contains(card)) return;
    // Only once: coming back, or a reload, leads to the chat.
    history.replaceState(history.state, "", location.pathname + location.search);
    hold(card);
    card.focus({ preventScroll: true });
  }, [log, hold]);
  useLayoutEffect(go, [content, go]);
  useEffect(() => {
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, [go]);
};
