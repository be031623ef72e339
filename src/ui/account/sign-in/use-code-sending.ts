/** Requests codes, one at a time, and tells when the mail has had time to arrive: until then `CodeStep` offers no new one. */
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/api-error.ts";
import { explainFailure } from "../explain-failure.ts";
import { requestCode } from "./auth-requests.ts";
import { keepSentCode, readSentCode } from "./sent-code.ts";

/** Pause before another code, in ms: mail takes a moment, and a second code invalidates the first. */
const PAUSE_MS = 30_000;

export const useCodeSending = () => {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [readyAtMs, setReadyAt] = useState(() => (readSentCode()?.atMs ?? 0) + PAUSE_MS);
  const isOnItsWay = useRef(false);
  /** Resolves to true once the code has been sent. */
  const send = async (email: string): Promise<boolean> => {
    if (isOnItsWay.current) return false;
    isOnItsWay.current = true;
    setSending(true);
    setProblem(undefined);
    try {
      await requestCode(email);
      keepSentCode(email);
      setReadyAt(Date.now() + PAUSE_MS);
      return true;
    } catch (error) {
      setProblem(explainFailure(error));
      const waitS = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      if (waitS !== undefined) setReadyAt(Date.now() + waitS * 1_000);
      return false;
    } finally {
      isOnItsWay.current = false;
      setSending(false);
    }
  };
  return { send, isSending, problem, setProblem, readyAtMs };
};

/** The result of `useCodeSending`, shared by both steps. */
export type CodeSending = ReturnType<typeof useCodeSending>;
