import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/preact-query";
import type { ActionInput, ActionOutput, ReadName } from "../../contract/action.ts";
import { readAction } from "./read-action.ts";

/** The cache key of a read. The name comes first, so that all results of one name can be dropped together. */
const actionKey = <Name extends ReadName>(name: Name, input: ActionInput<Name>) => [name, input] as const;

/** `enabled: false` requests nothing. `keepPrevious` shows the last result while the next one loads. */
type QueryOptions = { readonly enabled?: boolean; readonly keepPrevious?: boolean };

/** A read's result (api.md §1), cached by name and input; refetched when it is stale and the tab gets the focus. */
export const useActionQuery = <Name extends ReadName>(
  name: Name,
  input: ActionInput<Name>,
  { enabled = true, keepPrevious = false }: QueryOptions = {},
): UseQueryResult<ActionOutput<Name>> =>
  useQuery<ActionOutput<Name>>({
    queryKey: actionKey(name, input),
    queryFn: ({ signal }) => readAction(name, input, signal),
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
