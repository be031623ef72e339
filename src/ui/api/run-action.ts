/** Actions that write, as functions. Separate from the reads, because the first paint writes nothing. */
import { type QueryClient, MutationObserver as QueryMutation } from "@tanstack/preact-query";
import type { ActionInput, ActionOutput, ReadName, WriteName } from "../../contract/action.ts";
import { actionPath } from "../../contract/action-path.ts";
import { requestJson } from "./request-json.ts";

/**
 * Runs a write; `via` is what the stock's history will name. Give writes that may be sent twice an `idempotencyKey`.
 *
 * @throws {ApiError} with the server's words.
 */
export const runAction = async <Name extends WriteName>(
  name: Name,
  input: ActionInput<Name>,
  { via = "screen" }: { readonly via?: "screen" | "import" } = {},
): Promise<ActionOutput<Name>> =>
  await requestJson(actionPath(name), {
    method: "POST",
    body: input,
    ...(via === "import" ? { headers: { "x-updated-via": via } } : {}),
  });

type MutationOptions<Name extends WriteName> = {
  /** Takes the server's answer in. */
  readonly onDone?: (output: ActionOutput<Name>, input: ActionInput<Name>) => void;
  /** Reads whose answers the write may have changed; only these are asked again. */
  readonly refreshes?: readonly ReadName[];
};

/** A write as a mutation of the cache: a function that rejects with `ApiError`. It needs no component, and none renders for it. */
export const actionMutation = <Name extends WriteName>(
  client: QueryClient,
  name: Name,
  { onDone, refreshes = [] }: MutationOptions<Name> = {},
): ((input: ActionInput<Name>) => Promise<ActionOutput<Name>>) => {
  const mutation = new QueryMutation<ActionOutput<Name>, Error, ActionInput<Name>>(client, {
    mutationKey: [name],
    mutationFn: (input) => runAction(name, input),
    onSuccess: (output, input) => onDone?.(output, input),
    onSettled: () => {
      for (const read of refreshes) void client.invalidateQueries({ queryKey: [read] });
    },
  });
  return (input) => mutation.mutate(input);
};
