/** A composer's text: kept across reloads, and sent to the agent. */
import { useRef, useState } from "preact/hooks";
import { isRecord, parseJson } from "../../../contract/parse-json.ts";
import { ApiError, isUnreachable } from "../../api/api-error.ts";
import { useWhenReachable } from "../../api/use-when-reachable.ts";
import type { EditedMessage } from "./conversation-context.ts";
import { explainProblem } from "./explain-problem.ts";

/**
 * A message that is being written, and whether it asks for a plan first. `key` is the idempotency key of a send whose response
 * never came, and `toRun` the run that it was for, if any: sending the same again goes the same way, and arrives once.
 */
type Draft = {
  readonly text: string;
  readonly isPlan: boolean;
  readonly key?: string | undefined;
  readonly toRun?: string | undefined;
  readonly edit?: Edit | undefined;
};

/** What a draft is to replace. `isRewound`: the chat has gone back to before that message. `aside`: what was being written before. */
type Edit = { readonly runId: string; readonly isRewound: boolean; readonly aside: Pick<Draft, "text" | "isPlan"> };

/** The run to go back to before a message is sent; `onRewound` says that the chat has. */
type EditSend = { readonly beforeRunId: string; readonly onRewound: () => void };

/** Sends a message. The same `key` with the same prompt and mode starts no second run. Rejects with `ApiError`. */
export type SendPrompt = (prompt: string, key: string, isPlan: boolean, edit?: EditSend) => Promise<void>;

/** Of a draft that has not been sent. */
const UNSENT = { key: undefined, toRun: undefined } as const;

const NO_DRAFT = { text: "", isPlan: false, ...UNSENT, edit: undefined } as const satisfies Draft;

const storageKey = (threadId: string): string => `tally.draft:${threadId}`;

/** The thread's draft, or an empty one. */
const readDraft = (threadId: string): Draft => parseDraft(sessionStorage.getItem(storageKey(threadId)));

/** Stores the draft, or removes an empty one. */
const writeDraft = (threadId: string, draft: Draft): void => {
  if (draft.text === "" && draft.edit === undefined) {
    sessionStorage.removeItem(storageKey(threadId));
    return;
  }
  try {
    sessionStorage.setItem(storageKey(threadId), JSON.stringify(draft));
  } catch {
    // The storage is full: the text is still on the screen, and only a reload would lose it.
  }
};

/** Puts a message into the composer of a thread that is not on the screen yet. */
export const keepDraft = (threadId: string, message: Pick<Draft, "text" | "isPlan">): void =>
  writeDraft(threadId, message);

/** Takes what is being written to another thread. Its key and what it replaces stay behind: they are of that thread. */
export const moveDraft = (from: string, to: string): void => {
  const { text, isPlan } = readDraft(from);
  keepDraft(to, { text, isPlan });
  sessionStorage.removeItem(storageKey(from));
};

/** Parses a stored draft. Anything else gives an empty one. */
export const parseDraft = (stored: string | null): Draft => {
  try {
    const draft: unknown = parseJson(stored ?? "null");
    const message = readMessage(draft);
    if (!isRecord(draft) || message === undefined) return NO_DRAFT;
    return { ...message, key: readText(draft.key), toRun: readText(draft.toRun), edit: readEdit(draft.edit) };
  } catch {
    return NO_DRAFT;
  }
};

const readText = (stored: unknown): string | undefined => (typeof stored === "string" ? stored : undefined);

const readMessage = (stored: unknown): Pick<Draft, "text" | "isPlan"> | undefined =>
  isRecord(stored) && typeof stored.text === "string"
    ? { text: stored.text, isPlan: stored.isPlan === true }
    : undefined;

const readEdit = (stored: unknown): Edit | undefined => {
  if (!isRecord(stored) || typeof stored.runId !== "string") return undefined;
  const { runId, isRewound } = stored;
  return { runId, isRewound: isRewound === true, aside: readMessage(stored.aside) ?? { text: "", isPlan: false } };
};

/** Answered before the message is looked at, by the sign-in or a proxy: an earlier send of it may have arrived. */
const UNSEEN: readonly number[] = [401, 403];

/** Whether the server has refused the message, and so done nothing with it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !UNSEEN.includes(error.status);

/** Longest prompt, in UTF-16 units after trimming (api.md §1; the contract's own constant would bring zod along). */
const MAX_PROMPT_LENGTH = 200_000;

type ComposerCallbacks = {
  readonly sendPrompt: SendPrompt;
  /** Gives a message to a run while it works. */
  readonly sendToRun: (runId: string) => SendPrompt;
  readonly onSent: () => void;
};

/** Give the component the thread's id as key: the draft is read once, at its first render. */
export const useComposer = (
  threadId: string,
  { sendPrompt, sendToRun, onSent }: ComposerCallbacks,
): {
  readonly text: string;
  /** `key`: that of a send of this text, without a plan, whose response may have been lost. */
  readonly setText: (text: string, key?: string) => void;
  /** For one message: what follows an accepted plan is seldom planned again. */
  readonly isPlan: boolean;
  readonly setPlan: (isPlan: boolean) => void;
  /** What the text is to replace. */
  readonly edit: Edit | undefined;
  /** Takes a message to change; what is being written is kept aside. */
  readonly beginEdit: (message: EditedMessage) => void;
  /** Goes on with what was being written before. */
  readonly leaveEdit: () => void;
  readonly isSending: boolean;
  /** Why the last message was not accepted. The text is still there. */
  readonly problem: string | undefined;
  /** How many characters too long it is; 0 when it fits. */
  readonly overLimit: number;
  /** `toRun`: the run that gets it, instead of a turn of its own. */
  readonly send: (toRun?: string) => Promise<void>;
} => {
  const [draft, setDraft] = useState<Draft>(() => readDraft(threadId));
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isAway, setAway] = useState(false);
  useWhenReachable(isAway, () => {
    setAway(false);
    setProblem(undefined);
  });
  const isOnItsWay = useRef(false);
  // Text and mode can change within one render.
  const latest = useRef(draft);
  const { text, isPlan, edit } = draft;
  const prompt = text.trim();
  const overLimit = Math.max(0, prompt.length - MAX_PROMPT_LENGTH);

  const change = (part: Partial<Draft>): void => {
    const next = { ...latest.current, ...part };
    latest.current = next;
    setDraft(next);
    writeDraft(threadId, next);
  };
  const send = async (runId?: string): Promise<void> => {
    if (isOnItsWay.current || prompt === "" || overLimit > 0) return;
    isOnItsWay.current = true;
    setSending(true);
    setProblem(undefined);
    setAway(false);
    // Kept with the text: if the response gets lost, sending again arrives once, even after a reload.
    const { key: lostKey, toRun: lostRun } = latest.current;
    const key = lostKey ?? crypto.randomUUID();
    const toRun = lostKey === undefined ? runId : lostRun;
    change({ key, toRun });
    const sent = latest.current.text.trimEnd();
    const sendIt = toRun === undefined ? sendPrompt : sendToRun(toRun);
    try {
      await sendIt(prompt, key, isPlan, toReplace(edit));
      // Another part of the app may have put in a text meanwhile, after this one.
      const { text: now } = latest.current;
      const added = now.startsWith(sent) ? now.slice(sent.length).trimStart() : "";
      const next = { ...NO_DRAFT, ...edit?.aside };
      change({ ...next, text: [next.text.trimEnd(), added].filter(Boolean).join("\n") });
      onSent();
    } catch (error) {
      setProblem(explainProblem(error));
      setAway(isUnreachable(error));
      // A message that was refused did not arrive. After a fault of the server's, nobody knows.
      if (isRefusal(error)) change(UNSENT);
    }
    isOnItsWay.current = false;
    setSending(false);
  };
  const toReplace = (replaced: Edit | undefined): EditSend | undefined =>
    replaced && !replaced.isRewound
      ? { beforeRunId: replaced.runId, onRewound: () => change({ edit: { ...replaced, isRewound: true } }) }
      : undefined;
  const beginEdit = ({ runId, text: earlier, isPlan: wasPlan }: EditedMessage): void => {
    const { text: written, isPlan: isWrittenPlan, edit: other } = latest.current;
    const aside = other?.aside ?? { text: written, isPlan: isWrittenPlan };
    change({ text: earlier, isPlan: wasPlan, ...UNSENT, edit: { runId, isRewound: false, aside } });
  };
  const leaveEdit = (): void => change({ ...NO_DRAFT, ...latest.current.edit?.aside });
  const setText = (next: string, sentBy?: string): void =>
    change({ ...UNSENT, text: next, key: isPlan ? undefined : sentBy });
  const setPlan = (next: boolean): void => change({ ...UNSENT, isPlan: next });
  return { text, setText, isPlan, setPlan, edit, beginEdit, leaveEdit, isSending, problem, overLimit, send };
};
