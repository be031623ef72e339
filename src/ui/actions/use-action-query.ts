/** The query hook of the screen, bound to the actions (spec §1.2). */
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/preact-query";
import type { ActionInput, ActionOutput, ReadName } from "../../contract/action.ts";
import { readAction } from "./call-action.ts";

/** The cache key of a read: its name first, so that one name's answers can be dropped together. */
const actionKey = <Name extends ReadName>(name: Name, input: ActionInput<Name>) => [name, input] as const;

/** `enabled: false` asks nothing. `keepPrevious` shows the last answer while the next one loads. */
type QueryOptions = { readonly enabled?: boolean; readonly keepPrevious?: boolean };

/** A read's answer, cached by name and input; asked again when it is old and the tab is looked at. */
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
