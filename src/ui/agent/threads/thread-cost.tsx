/** What a thread has cost so far. */
import { useEffect } from "preact/hooks";
import { formatCost, formatExactCost } from "../../format/format-cost.ts";
import { useRefreshThreads, useThreads } from "./use-threads.ts";

/** Asked anew each time it is shown: other tabs spend too. Nothing where no price is known. */
export const ThreadCost = ({ threadId }: { readonly threadId: string }) => {
  const { threads } = useThreads();
  const refresh = useRefreshThreads();
  useEffect(refresh, [refresh]);
  const costUsd = threads?.find((thread) => thread.threadId === threadId)?.costUsd ?? undefined;
  if (costUsd === undefined) return null;
  return (
    <p class="menu-note" title={formatExactCost(costUsd, navigator.language)}>
      {formatCost(costUsd, navigator.language)} so far
    </p>
  );
};
