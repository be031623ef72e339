/** Asking for a code: once at a time, and not again until its mail has had time to come. */
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../actions/api-error.ts";
import { requestCode } from "./auth-requests.ts";
import { explainSignIn } from "./explain-sign-in.ts";

/** Time from one code to the next, in ms: mail takes a moment, and a second code makes the first one useless. */
const PAUSE_MS = 30_000;

/** How codes are sent, and how the last time went. */
export const useCodeSending = () => {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [readyAtMs, setReadyAt] = useState(0);
  const isOnItsWay = useRef(false);
  /** True once the code is on its way. */
  const send = async (email: string): Promise<boolean> => {
    if (isOnItsWay.current) return false;
    isOnItsWay.current = true;
    setSending(true);
    setProblem(undefined);
    try {
      await requestCode(email);
      setReadyAt(Date.now() + PAUSE_MS);
      return true;
    } catch (error) {
      setProblem(explainSignIn(error));
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

/** The sending of one sign-in screen. */
export type CodeSending = ReturnType<typeof useCodeSending>;
