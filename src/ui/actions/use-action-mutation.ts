/** The mutation hook of the screen, bound to the actions (spec §1.2). */
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/preact-query";
import type { ActionInput, ActionOutput, ReadName, WriteName } from "../../contract/action.ts";
import { runAction } from "./call-action.ts";

type MutationOptions<Name extends WriteName> = {
  /** Shows the change before the server has answered. Gives what takes it back; called whatever the answer is. */
  readonly optimistic?: (input: ActionInput<Name>) => () => void;
  /** Takes the server's answer in. Runs before the optimistic change goes, so that nothing flickers. */
  readonly onDone?: (output: ActionOutput<Name>, input: ActionInput<Name>) => void;
  /** Reads whose answers the write may have changed; only these are asked again. */
  readonly refreshes?: readonly ReadName[];
};

/** A write: `mutate(input)`, or `mutateAsync(input)` for a promise that rejects with `ApiError`. */
export const useActionMutation = <Name extends WriteName>(
  name: Name,
  { optimistic, onDone, refreshes = [] }: MutationOptions<Name> = {},
): UseMutationResult<ActionOutput<Name>, Error, ActionInput<Name>, () => void> => {
  const client = useQueryClient();
  return useMutation<ActionOutput<Name>, Error, ActionInput<Name>, () => void>({
    mutationKey: [name],
    mutationFn: (input) => runAction(name, input),
    onMutate: (input) => optimistic?.(input) ?? (() => {}),
    onSuccess: (output, input) => onDone?.(output, input),
    onSettled: (_output, _error, _input, takeBack) => {
      takeBack?.();
      for (const read of refreshes) void client.invalidateQueries({ queryKey: [read] });
    },
  });
};
