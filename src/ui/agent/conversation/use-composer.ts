/** A composer's text: kept across reloads, and sent to the agent. */
import { useLayoutEffect, useState } from "preact/hooks";
import { isUnreachable } from "../../api/api-error.ts";
import { signedOut } from "../../api/request-json.ts";
import { useWhenReachable } from "../../api/use-when-reachable.ts";
import { showToast } from "../../parts/toasts.tsx";
import { createStore, type Store, useStore } from "../../state/store.ts";
import type { EditedMessage } from "./conversation-context.ts";
import { type Draft, type Edit, NO_DRAFT, readDraft, UNSENT, wholeText, withMore, writeDraft } from "./draft.ts";
import { explainProblem, isRefusal } from "./explain-problem.ts";

/** The chat goes back to before the run `beforeRunId`, and then the message is sent. `onRewound`: called when the chat has gone back. */
type EditSend = { readonly beforeRunId: string; readonly onRewound: () => void };

/** `isAgain`: it was sent before by this key, and the response may have been lost. */
export type SendOptions = {
  readonly key: string;
  readonly isPlan: boolean;
  readonly isAgain?: boolean;
  readonly edit?: EditSend | undefined;
};

/** Sends a message. The same key with the same prompt starts no second run, whatever the mode. Rejects with `ApiError`. */
export type SendPrompt = (prompt: string, options: SendOptions) => Promise<void>;

/** Longest prompt, in UTF-16 units after trimming (api.md §1; the contract's own constant would bring zod along). */
const MAX_PROMPT_LENGTH = 200_000;

type Composing = {
  readonly draft: Draft;
  readonly isSending: boolean;
  readonly problem: string | undefined;
  /** The problem is that the server cannot be reached. */
  readonly isAway: boolean;
};

const NO_PROBLEM = { problem: undefined, isAway: false } as const;

/** `viewers`: how many components show it, and `visible`: how many of them the person can see. */
type KeptComposer = { readonly store: Store<Composing>; viewers: number; visible: number };

/** Composers on the screen or still sending, by thread. One that is opened again while it sends does not offer its message twice. */
const kept = new Map<string, KeptComposer>();

const keptComposer = (threadId: string): KeptComposer => {
  const known = kept.get(threadId);
  if (known !== undefined) return known;
  const begun = { draft: readDraft(threadId), isSending: false, ...NO_PROBLEM };
  const composer = { store: createStore<Composing>(begun), viewers: 0, visible: 0 };
  kept.set(threadId, composer);
  return composer;
};

/** Drops a composer that nothing shows and that is not sending. Its draft is in the storage as well. */
const dropUnused = (threadId: string, { viewers, store }: KeptComposer): void => {
  if (viewers === 0 && !store.get().isSending) kept.delete(threadId);
};

/** The thread's composer, which is kept for as long as the component is there. */
const useKeptComposer = (threadId: string, isHidden: boolean): KeptComposer => {
  const [composer] = useState(() => keptComposer(threadId));
  useLayoutEffect(() => {
    // The previous component, which goes away at the same moment, may have dropped this composer.
    kept.set(threadId, composer);
    composer.viewers += 1;
    return () => {
      composer.viewers -= 1;
      dropUnused(threadId, composer);
    };
  }, []);
  useLayoutEffect(() => {
    if (isHidden) return undefined;
    composer.visible += 1;
    return () => {
      composer.visible -= 1;
    };
  }, [isHidden]);
  return composer;
};

type ComposerProps = {
  /** The list of chats is shown in its place. */
  readonly isHidden: boolean;
  readonly sendPrompt: SendPrompt;
  /** Gives a message to a run while it works. */
  readonly sendToRun: (runId: string) => SendPrompt;
  readonly onSent: () => void;
};

/** Give the component the thread's id as key. */
export const useComposer = (
  threadId: string,
  { isHidden, sendPrompt, sendToRun, onSent }: ComposerProps,
): {
  readonly text: string;
  /**
   * `key`: the key of an earlier send of this text, without a plan, whose response may have been lost. `isAddition`: the app has added
   * something to the end of the text.
   */
  readonly setText: (text: string, key?: string, isAddition?: boolean) => void;
  /** Holds for one message: what follows an accepted plan is seldom planned again. */
  readonly isPlan: boolean;
  readonly setPlan: (isPlan: boolean) => void;
  /** The message that the text is to replace. */
  readonly edit: Edit | undefined;
  /** Takes a message to change; what is being written is kept aside. */
  readonly beginEdit: (message: EditedMessage) => void;
  /** Called when the chat has gone back to before that message. */
  readonly noteRewound: () => void;
  /** Goes on with what was being written before. */
  readonly leaveEdit: () => void;
  readonly isSending: boolean;
  /** It was sent, and the response may have been lost. */
  readonly isDoubtful: boolean;
  /** Why the last message was not accepted. The text is still there. */
  readonly problem: string | undefined;
  /** How many characters too long it is; 0 when it fits. */
  readonly overLimit: number;
  /** `toRun`: the run that gets it, instead of a turn of its own. */
  readonly send: (toRun?: string) => Promise<void>;
} => {
  const composer = useKeptComposer(threadId, isHidden);
  const { store } = composer;
  const { draft, isSending, problem, isAway } = useStore(store);
  const set = (part: Partial<Composing>): void => store.set({ ...store.get(), ...part });
  useWhenReachable(isAway, () => {
    // The message may have been sent again and refused since the check for the server began.
    if (store.get().isAway) set(NO_PROBLEM);
  });
  const { isPlan, edit } = draft;
  const prompt = draft.text.trim();
  const overLimit = Math.max(0, prompt.length - MAX_PROMPT_LENGTH);

  const change = (part: Partial<Draft>): void => {
    // Text and mode can change within one render.
    const next = { ...store.get().draft, ...part };
    set({ draft: next });
    writeDraft(threadId, next);
  };
  const send = async (runId?: string): Promise<void> => {
    if (store.get().isSending || prompt === "" || overLimit > 0) return;
    set({ isSending: true, ...NO_PROBLEM });
    // The key is kept with the text: if the response gets lost, a message sent again arrives once, even after a reload.
    const { key: lostKey, toRun: lostRun } = store.get().draft;
    const key = lostKey ?? crypto.randomUUID();
    const toRun = lostKey === undefined ? runId : lostRun;
    change({ key, toRun });
    const sendIt = toRun === undefined ? sendPrompt : sendToRun(toRun);
    const toReplace = edit && !edit.isRewound ? { beforeRunId: edit.runId, onRewound: noteRewound } : undefined;
    try {
      await sendIt(prompt, { key, isPlan, isAgain: lostKey !== undefined, edit: toReplace });
      const { added = "" } = store.get().draft;
      change(withMore({ ...NO_DRAFT, ...edit?.aside }, added));
      onSent();
    } catch (error) {
      const says = explainProblem(error);
      // A message that was refused did not arrive. After a server error, it is not known whether it did.
      const isRefused = isRefusal(error);
      if (isRefused) change(wholeDraft());
      if (composer.viewers > 0) set({ problem: says, isAway: isUnreachable(error) });
      // The person is elsewhere, and not signed out: after they have signed in again, a toast would be out of date.
      if (composer.visible === 0 && !signedOut.get()) {
        const what = `Your message to the agent ${isRefused ? "was not" : "may not have been"} sent.`;
        showToast({ text: `${what} ${says}`, tone: "bad" });
      }
    }
    set({ isSending: false });
    dropUnused(threadId, composer);
  };
  /** The draft as a message that the server does not know. */
  const wholeDraft = (): Partial<Draft> => ({ ...UNSENT, text: wholeText(store.get().draft) });
  const noteRewound = (): void => {
    const { edit: replaced } = store.get().draft;
    if (replaced) change({ edit: { ...replaced, isRewound: true } });
  };
  const beginEdit = ({ runId, text: earlier, isPlan: wasPlan }: EditedMessage): void => {
    const { edit: other, ...written } = store.get().draft;
    // If the edited message has already been taken back, its replacement exists only here, so it is put aside too.
    const aside = other?.isRewound ? withMore(written, wholeText(other.aside)) : (other?.aside ?? written);
    set(NO_PROBLEM);
    change({ text: earlier, isPlan: wasPlan, ...UNSENT, edit: { runId, isRewound: false, aside } });
  };
  const leaveEdit = (): void => {
    set(NO_PROBLEM);
    change({ ...NO_DRAFT, ...store.get().draft.edit?.aside });
  };
  const setText = (next: string, sentBy?: string, isAddition = false): void => {
    const { text: before, key, added } = store.get().draft;
    const start = `${before.trimEnd()}\n`;
    const isBehind = key !== undefined && (isAddition || added) && next.startsWith(start);
    change(
      isBehind ? { added: next.slice(start.length) } : { ...UNSENT, text: next, key: isPlan ? undefined : sentBy },
    );
  };
  const setPlan = (next: boolean): void => change({ ...wholeDraft(), isPlan: next });
  const text = wholeText(draft);
  const isDoubtful = draft.key !== undefined;
  const editing = { edit, beginEdit, noteRewound, leaveEdit };
  return { text, setText, isPlan, setPlan, ...editing, isSending, isDoubtful, problem, overLimit, send };
};
