/**
 * Reading actions as functions, typed by the contract (api.md §5). They go by GET, so that the page can preload one. Writes:
 * `run-action.ts`.
 */
import { QueryClient } from "@tanstack/preact-query";
import type { ActionInput, ActionName, ActionOutput, ReadName } from "../../contract/action.ts";
import { actionPath } from "../../contract/action-path.ts";
import { isTransient } from "./api-error.ts";
import { requestJson } from "./request-json.ts";

/** Runs a read. @throws {ApiError} with the server's words. */
export const readAction = async <Name extends ReadName>(
  name: Name,
  input: ActionInput<Name>,
  signal?: AbortSignal,
): Promise<ActionOutput<Name>> => await requestJson(`${actionPath(name)}${queryOf(input)}`, { signal });

/** Numbers and booleans as text, lists as repeated keys (api.md §2). */
const queryOf = (input: ActionInput<ActionName>): string => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part !== undefined) query.append(key, String(part));
    }
  }
  return query.size === 0 ? "" : `?${query}`;
};

/** Data counts as fresh for this long: coming back to the tab sooner requests nothing. */
const FRESH_MS = 30_000;

/** Retries of a read after a transient failure. The cache never repeats a write; `settle-each` does when the server asks it to wait. */
const MAX_READ_RETRIES = 2;

/** The app's one cache. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < MAX_READ_RETRIES && isTransient(error),
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
