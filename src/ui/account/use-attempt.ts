/** One thing at a time that may fail, with the words for how it failed. */
import { useRef, useState } from "preact/hooks";
import { explainSignIn } from "./explain-sign-in.ts";

/** `attempt` does nothing while another one is under way. True when it went well. */
export const useAttempt = () => {
  const [isBusy, setBusy] = useState(false);
  /** Known at once, where the state comes with the next render. */
  const isUnderWay = useRef(false);
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(explainSignIn(error));
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, attempt };
};
