/** Reads again what a change has made old. */
import type { QueryClient, QueryKey } from "@tanstack/preact-query";

/**
 * Resolves when the queries whose keys begin with `queryKey` have been read again. A plain refetch during a query's first read waits for
 * that read, which may not know of the change.
 */
export const readAgain = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  await client.cancelQueries({ queryKey });
  await client.refetchQueries({ queryKey });
};
