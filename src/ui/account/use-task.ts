import { useRef, useState } from "preact/hooks";
import { explainFailure } from "./explain-failure.ts";
import { useAccountProblem } from "./use-account-problem.ts";

/** Runs one task at a time and says how it failed. `runTask` resolves to true on success, and ignores a call during another. */
export const useTask = () => {
  const [isBusy, setBusy] = useState(false);
  /** Set at once; the state only changes with the next render. */
  const isUnderWay = useRef(false);
  const [problem, setProblem] = useAccountProblem();
  const runTask = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(explainFailure(error));
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, runTask };
};
