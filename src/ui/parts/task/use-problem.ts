/** Reports how a task failed, even if its place on the screen is gone by then. */
import { useEffect, useRef, useState } from "preact/hooks";
import { showToast } from "../toasts.tsx";

/** Tells whether the component has left the screen, for tasks that end after that. */
export const useIsGone = (): (() => boolean) => {
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  return () => isGone.current;
};

/**
 * Why a task failed, in words, and a function that sets this. If the component has left the screen by then, a toast says it after `doubt`:
 * whoever has closed it takes the task for done. `doubt` is a sentence, such as "The chat may not have been renamed."
 */
export const useProblem = (
  doubt: string,
): readonly [problem: string | undefined, setProblem: (problem: string | undefined) => void] => {
  const [problem, setProblem] = useState<string>();
  const isGone = useIsGone();
  const tell = (text: string | undefined): void => {
    if (text !== undefined && isGone()) showToast({ text: `${doubt} ${text}`, tone: "bad" });
    else setProblem(text);
  };
  return [problem, tell];
};
