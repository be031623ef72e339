/** Choices that are saved as soon as they are picked. */
import { type QueryKey, useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { readAgain } from "../api/read-again.ts";
import { explainFailure } from "./explain-failure.ts";
import { useAccountProblem } from "./use-account-problem.ts";

type SavingOptions<Choices> = {
  readonly send: (patch: Partial<Choices>) => Promise<unknown>;
  /** Called after each change that was saved. */
  readonly onSaved: (patch: Partial<Choices>) => void;
  /** What is read again when a change was not saved. */
  readonly queryKey: QueryKey;
};

/** Saves one change after the other, so that the last one counts. `show` puts what was picked here over what has been read. */
export const useSaving = <Choices extends object>({ send, onSaved, queryKey }: SavingOptions<Choices>) => {
  const client = useQueryClient();
  const [problem, setProblem] = useAccountProblem();
  /** What was picked, in order: saved or on its way. What could not be saved is taken out. */
  const [picked, pick] = useState<readonly Partial<Choices>[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());
  const save = (patch: Partial<Choices>): void => {
    setProblem(undefined);
    pick((before) => [...before, patch]);
    last.current = last.current.then(async () => {
      try {
        await send(patch);
        onSaved(patch);
      } catch (error) {
        setProblem(explainFailure(error));
        await readAgain(client, queryKey);
        // What was picked since is still to be saved.
        pick((before) => before.filter((one) => one !== patch));
      }
    });
  };
  const show = (read: Choices): Choices => {
    let shown = read;
    for (const patch of picked) shown = { ...shown, ...patch };
    return shown;
  };
  return { problem: problem && `Not saved. ${problem}`, show, save };
};
