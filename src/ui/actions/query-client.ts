/** The cache of what the actions answered, and when to ask again. */
import { QueryClient } from "@tanstack/preact-query";
import { isTransient } from "./api-error.ts";

/** An answer counts as fresh for this long: coming back to the tab within it asks nothing. */
const FRESH_MS = 30_000;

/** Tries after the first of a read that failed for a passing reason. Writes are never repeated by themselves. */
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
