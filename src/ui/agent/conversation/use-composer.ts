/** A composer's text: kept across reloads, and sent to the agent. */
import { useRef, useState } from "preact/hooks";
import { parseJson } from "../../../contract/parse-json.ts";
import { isUnreachable } from "../../api/api-error.ts";
import { useWhenReachable } from "../../api/use-when-reachable.ts";
import { explainProblem } from "./explain-problem.ts";

/** `key` is the idempotency key of a send whose response never came: sending the same text again starts no second run. */
type Draft = { readonly text: string; readonly key?: string };

const NO_DRAFT: Draft = { text: "" };

const storageKey = (threadId: string): string => `tally.draft:${threadId}`;

/** The thread's draft, or an empty one. */
const readDraft = (threadId: string): Draft => parseDraft(sessionStorage.getItem(storageKey(threadId)));

/** Stores the draft, or removes an empty one. */
const writeDraft = (threadId: string, { text, key }: Draft): void => {
  if (text === "") {
    sessionStorage.removeItem(storageKey(threadId));
    return;
  }
  try {
    sessionStorage.setItem(storageKey(threadId), JSON.stringify({ text, key }));
  } catch {
    // The storage is full: the text is still on the screen, and only a reload would lose it.
  }
};

/** Puts a text into the composer of a thread that is not on the screen yet. */
export const keepDraft = (threadId: string, text: string): void => writeDraft(threadId, { text });

/** Parses a stored draft. Anything else gives an empty one. */
export const parseDraft = (stored: string | null): Draft => {
  try {
    const draft: unknown = parseJson(stored ?? "null");
    if (typeof draft !== "object" || draft === null || !("text" in draft)) return NO_DRAFT;
    if (typeof draft.text !== "string") return NO_DRAFT;
    return "key" in draft && typeof draft.key === "string"
      ? { text: draft.text, key: draft.key }
      : { text: draft.text };
  } catch {
    return NO_DRAFT;
  }
};

/** Longest prompt, in UTF-16 units after trimming (api.md §2; the contract's own constant would bring zod along). */
const MAX_PROMPT_LENGTH = 200_000;

type ComposerCallbacks = {
  /** The same `key` with the same prompt starts no second run. Rejects with `ApiError`. */
  readonly sendPrompt: (prompt: string, key: string) => Promise<void>;
  readonly onSent: () => void;
};

/** Give the component the thread's id as key: the draft is read once, at its first render. */
export const useComposer = (
  threadId: string,
  { sendPrompt, onSent }: ComposerCallbacks,
): {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isSending: boolean;
  /** Why the last message was not accepted. The text is still there. */
  readonly problem: string | undefined;
  /** How many characters too long it is; 0 when it fits. */
  readonly overLimit: number;
  /** `sendNow`: sends it in another way. */
  readonly send: (sendNow?: ComposerCallbacks["sendPrompt"]) => Promise<void>;
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
  const { text, key } = draft;
  const prompt = text.trim();
  const overLimit = Math.max(0, prompt.length - MAX_PROMPT_LENGTH);

  const change = (next: Draft): void => {
    setDraft(next);
    writeDraft(threadId, next);
  };
  const send = async (sendNow = sendPrompt): Promise<void> => {
    if (isOnItsWay.current || prompt === "" || overLimit > 0) return;
    isOnItsWay.current = true;
    setSending(true);
    setProblem(undefined);
    setAway(false);
    // Kept with the text: if the response gets lost, sending again starts no second run, even after a reload.
    const sendKey = key ?? crypto.randomUUID();
    change({ text, key: sendKey });
    try {
      await sendNow(prompt, sendKey);
      change({ text: "" });
      onSent();
    } catch (error) {
      setProblem(explainProblem(error));
      setAway(isUnreachable(error));
    }
    isOnItsWay.current = false;
    setSending(false);
  };
  return { text, setText: (next) => change({ text: next }), isSending, problem, overLimit, send };
};
