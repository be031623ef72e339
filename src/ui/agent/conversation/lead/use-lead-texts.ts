/** Texts that come into the composer: what the app suggests, a message that is being changed, one that the agent was never given. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { askedText } from "../../../state/agent-panel.ts";
import { useStore } from "../../../state/store.ts";
import { subscribeLiveEvents } from "../../stream/live-events.ts";
import type { EditedMessage } from "../conversation-context.ts";
import { findSteer } from "../kept-thread.ts";
import { wasSentHere } from "./lead-requests.ts";

type Area = { readonly current: HTMLTextAreaElement | null };

/**
 * Returns what gives the composer a text, with the caret after it. Both come with the same render: what is typed next is never put
 * elsewhere.
 */
const useTextBeforeCaret = (area: Area, text: string, setText: (text: string) => void): ((next: string) => void) => {
  const awaited = useRef<string | undefined>(undefined);
  const settle = (shown: string): void => {
    if (awaited.current !== shown) return;
    awaited.current = undefined;
    area.current?.focus();
    area.current?.setSelectionRange(shown.length, shown.length);
  };
  useLayoutEffect(() => settle(text), [text]);
  return (next) => {
    awaited.current = next;
    // The same text causes no render.
    if (next === text) settle(next);
    else setText(next);
  };
};

/** Puts a message that is to be changed into the composer. `edited` is another object each time that somebody wants to. */
export const useEdit = (
  area: Area,
  edited: EditedMessage | undefined,
  { text, beginEdit }: { readonly text: string; readonly beginEdit: (message: EditedMessage) => void },
): void => {
  const write = useTextBeforeCaret(area, text, () => edited && beginEdit(edited));
  useLayoutEffect(() => {
    if (edited === undefined) return;
    // Also where the text is the same: it becomes that message.
    if (edited.text === text) beginEdit(edited);
    write(edited.text);
  }, [edited]);
};

/** Puts back what this tab has sent to a run that ended before it was used. */
export const useUnusedText = (threadId: string): void => {
  useEffect(
    () =>
      subscribeLiveEvents((event, run) => {
        if (event.type !== "steer_dropped" || run.threadId !== threadId || !wasSentHere(event.messageId)) return;
        const item = findSteer(threadId, run.runId, event.messageId);
        if (item === undefined) return;
        // Several are dropped at once, before the composer takes the first.
        const before = askedText.get();
        askedText.set({ text: before === undefined ? item.text : `${before.text}\n${item.text}` });
      }),
    [threadId],
  );
};

/** Inserts a question that another part of the app suggests. Alone, it keeps the key by which it was sent to this thread. */
export const useAskedText = (
  area: Area,
  threadId: string,
  text: string,
  setText: (text: string, key?: string) => void,
): void => {
  const asked = useStore(askedText);
  const isAlone = text.trim() === "";
  const key = isAlone && asked?.sent?.threadId === threadId ? asked.sent.key : undefined;
  const write = useTextBeforeCaret(area, text, (next) => setText(next, key));
  useLayoutEffect(() => {
    if (asked === undefined) return;
    askedText.set(undefined);
    write(isAlone ? asked.text : `${text.trimEnd()}\n${asked.text}`);
  }, [asked]);
};
