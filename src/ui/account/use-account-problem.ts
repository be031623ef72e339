import { useProblem } from "../parts/task/use-problem.ts";

/** `useProblem` for a task of the account. */
export const useAccountProblem = (): ReturnType<typeof useProblem> =>
  useProblem("Your account may not have been changed.");
