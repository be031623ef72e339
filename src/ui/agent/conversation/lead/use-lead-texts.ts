/** Texts that come into the composer: what the app suggests, a message that is being changed, one that the agent was never given. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { askedText } from "../../../state/agent-panel.ts";
import { useStore } from "../../../state/store.ts";
import { takesFocus } from "../../permission/permission-card.tsx";
import { subscribeLiveEvents } from "../../stream/live-events.ts";
import type { ThreadRun } from "../../stream/thread-run.ts";
import type { EditedMessage } from "../conversation-context.ts";
import type { Edit } from "../draft.ts";
import { findSteer } from "../kept-thread.ts";
import { wasSentHere } from "./lead-requests.ts";

type Area = { readonly current: HTMLTextAreaElement | null };

/**
 * Returns a function that sets the composer's text and caret. A caret takes the focus; undefined leaves caret and focus alone. Both
 * happen in one render, so that nothing typed lands between them.
 */
const useTextWithCaret = (
  area: Area,
  text: string,
  setText: (text: string) => void,
): ((next: string, caret: number | undefined) => void) => {
  const awaited = useRef<{ readonly text: string; readonly caret: number | undefined }>();
  const settle = (shown: string): void => {
    const { text: next, caret } = awaited.current ?? {};
    if (next !== shown) return;
    awaited.current = undefined;
    if (caret === undefined) return;
    area.current?.focus();
    area.current?.setSelectionRange(caret, caret);
  };
  useLayoutEffect(() => settle(text), [text]);
  return (next, caret) => {
    awaited.current = { text: next, caret };
    // The same text causes no render.
    if (next === text) settle(next);
    else setText(next);
  };
};

type EditComposer = {
  readonly text: string;
  readonly isSending: boolean;
  readonly beginEdit: (message: EditedMessage) => void;
};

/** Puts a message that is to be changed into the composer. `edited` is a new object for each wish to edit. */
export const useEdit = (
  area: Area,
  edited: EditedMessage | undefined,
  { text, isSending, beginEdit }: EditComposer,
): void => {
  const write = useTextWithCaret(area, text, () => edited && beginEdit(edited));
  const begun = useRef<EditedMessage>();
  useLayoutEffect(() => {
    // Waits until the message on its way is settled. Otherwise the response to that would be taken for one to this.
    if (edited === begun.current || edited === undefined || isSending) return;
    begun.current = edited;
    // If the text is the same, `write` does not set it, so the edit begins here.
    if (edited.text === text) beginEdit(edited);
    write(edited.text, edited.text.length);
  }, [edited, isSending]);
};

type EditedDraft = { readonly edit: Edit | undefined; readonly noteRewound: () => void };

/** Takes note when the list of runs says that the edited message is taken back: the response that said so may have been lost. */
export const useTakenBack = (runs: readonly ThreadRun[], { edit, noteRewound }: EditedDraft): void => {
  const isTakenBack = runs.some(({ runId, isReplaced }) => isReplaced && runId === edit?.runId);
  useLayoutEffect(() => {
    if (isTakenBack) noteRewound();
  }, [isTakenBack]);
};

/** Puts back a message that this tab sent to a run, if the run ended before the message was used. */
export const useUnusedText = (threadId: string): void => {
  useEffect(
    () =>
      subscribeLiveEvents((event, run) => {
        if (event.type !== "steer_dropped" || run.threadId !== threadId || !wasSentHere(event.messageId)) return;
        const item = findSteer(threadId, run.runId, event.messageId);
        if (item === undefined) return;
        // Several are dropped at once, before the composer takes the first.
        const before = askedText.get();
        askedText.set({
          text: before === undefined ? item.text : `${before.text}\n${item.text}`,
          isBack: before === undefined || before.isBack === true,
        });
      }),
    [threadId],
  );
};

/** Inserts a question that another part of the app suggests. In an empty composer it keeps the key by which it was sent to this thread. */
export const useAskedText = (
  area: Area,
  threadId: string,
  text: string,
  setText: (text: string, key: string | undefined, isAddition: boolean) => void,
): void => {
  const asked = useStore(askedText);
  const isAlone = text.trim() === "";
  const key = isAlone && asked?.sent?.threadId === threadId ? asked.sent.key : undefined;
  const write = useTextWithCaret(area, text, (next) => setText(next, key, !isAlone));
  useLayoutEffect(() => {
    if (asked === undefined) return;
    askedText.set(undefined);
    const next = isAlone ? asked.text : `${text.trimEnd()}\n${asked.text}`;
    write(next, asked.isBack ? freeCaret(area.current, next) : next.length);
  }, [asked]);
};

/** Where the caret goes when a text comes by itself. It does not leave what is being written, here or elsewhere. */
const freeCaret = (area: HTMLTextAreaElement | null, next: string): number | undefined => {
  if (area !== null && area === document.activeElement && area.value !== "") return area.selectionStart;
  return takesFocus(area) ? next.length : undefined;
};
