/** Texts that come into the composer: what the app suggests, a message that is being changed, one that the agent was never given. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { askedText } from "../../../state/agent-panel.ts";
import { useStore } from "../../../state/store.ts";
import { subscribeLiveEvents } from "../../stream/live-events.ts";
import type { EditedMessage } from "../conversation-context.ts";
import { keptThread } from "../kept-thread.ts";
import { wasSentHere } from "./lead-requests.ts";

type Area = { readonly current: HTMLTextAreaElement | null };

/** Puts the message into the composer, whose own text is kept aside. Returns what puts that back. */
export const useEdit = (
  area: Area,
  edited: EditedMessage | undefined,
  text: string,
  setText: (text: string) => void,
): (() => void) => {
  const aside = useRef("");
  const before = useRef<EditedMessage | undefined>(undefined);
  useLayoutEffect(() => {
    if (edited === undefined || edited === before.current) return;
    if (before.current === undefined) aside.current = text;
    setText(edited.text);
    // The text appears with the next render; the caret belongs after it.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(edited.text.length, edited.text.length);
    });
  }, [edited]);
  useLayoutEffect(() => {
    before.current = edited;
  }, [edited]);
  return () => {
    setText(aside.current);
    area.current?.focus();
  };
};

/** Puts back what this tab has sent to a run that ended before it was used. */
export const useUnusedText = (threadId: string): void => {
  useEffect(
    () =>
      subscribeLiveEvents((event, run) => {
        if (event.type !== "steer_dropped" || run.threadId !== threadId || !wasSentHere(event.messageId)) return;
        const { runs } = keptThread(threadId).transcript.getSnapshot();
        const items = runs.find(({ runId }) => runId === run.runId)?.transcript.items ?? [];
        const item = items.find((one) => one.type === "steer" && one.messageId === event.messageId);
        if (item?.type === "steer") askedText.set(item.text);
      }),
    [threadId],
  );
};

/** Inserts a question that another part of the app suggests. */
export const useAskedText = (area: Area, text: string, setText: (text: string) => void): void => {
  const asked = useStore(askedText);
  useLayoutEffect(() => {
    if (asked === undefined) return;
    askedText.set(undefined);
    setText(text.trim() === "" ? asked : `${text.trimEnd()}\n${asked}`);
    // The text appears with the next render; the caret belongs after it.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
    });
  }, [asked]);
};
