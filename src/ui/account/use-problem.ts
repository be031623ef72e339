import { useEffect, useRef, useState } from "preact/hooks";
import { showToast } from "../parts/toasts.tsx";

/**
 * Why a task of the account failed, in words, and what sets that. When its place on the screen is gone by then, a toast tells it: whoever
 * has closed the account takes the task for done.
 */
export const useProblem = (): readonly [
  problem: string | undefined,
  setProblem: (problem: string | undefined) => void,
] => {
  const [problem, setProblem] = useState<string>();
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const tell = (text: string | undefined): void => {
    if (text !== undefined && isGone.current)
      showToast({ text: `Your account may not have been changed. ${text}`, tone: "bad" });
    else setProblem(text);
  };
  return [problem, tell];
};
