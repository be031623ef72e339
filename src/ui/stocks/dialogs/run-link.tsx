/** The agent, linked to the conversation in which it did something. */
import { useQuery } from "@tanstack/preact-query";
import { requestJson } from "../../actions/request-json.ts";

/** Plain text until the thread is known, and for good when it has been deleted. */
export const RunLink = ({ runId }: { readonly runId: string }) => {
  const { data } = useQuery<{ readonly threadId: string }>({
    queryKey: ["run", runId],
    queryFn: ({ signal }) => requestJson(`/_framework/runs/${runId}`, { signal }),
    // A run never changes its thread.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ? <a href={`/t/${encodeURIComponent(data.threadId)}`}>the agent</a> : <>the agent</>;
};
