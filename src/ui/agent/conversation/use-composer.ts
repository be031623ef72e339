/** The text of a composer, and its way to the agent. */
import { useRef, useState } from "preact/hooks";
import { type Draft, readDraft, writeDraft } from "./drafts.ts";
import { explainProblem } from "./explain-problem.ts";

/** Longest prompt, in UTF-16 units after trimming (CONTRACT §2; the contract's own constant would bring zod along). */
const MAX_PROMPT_LENGTH = 200_000;

type ComposerWays = {
  /** The same `key` with the same prompt starts nothing twice. Rejects with `ApiError`. */
  readonly sendPrompt: (prompt: string, key: string) => Promise<void>;
  readonly onSent: () => void;
};

/** Give the component the thread's id as key: the draft is the one of its first render. */
export const useComposer = (
  threadId: string,
  { sendPrompt, onSent }: ComposerWays,
): {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isSending: boolean;
  /** Why the last message was not taken. The text is still there. */
  readonly problem: string | undefined;
  /** Characters too many; 0 when it fits. */
  readonly overLimit: number;
  readonly send: () => Promise<void>;
} => {
  const [draft, setDraft] = useState<Draft>(() => readDraft(threadId));
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isOnItsWay = useRef(false);
  const { text, key } = draft;
  const prompt = text.trim();
  const overLimit = Math.max(0, prompt.length - MAX_PROMPT_LENGTH);

  const change = (next: Draft): void => {
    setDraft(next);
    writeDraft(threadId, next);
  };
  const send = async (): Promise<void> => {
    if (isOnItsWay.current || prompt === "" || overLimit > 0) return;
    isOnItsWay.current = true;
    setSending(true);
    setProblem(undefined);
    // Kept with the text: should the answer get lost, the same text starts nothing twice, even after a reload.
    const sendKey = key ?? crypto.randomUUID();
    change({ text, key: sendKey });
    try {
      await sendPrompt(prompt, sendKey);
      change({ text: "" });
      onSent();
    } catch (error) {
      setProblem(explainProblem(error));
    }
    isOnItsWay.current = false;
    setSending(false);
  };
  return { text, setText: (next) => change({ text: next }), isSending, problem, overLimit, send };
};
