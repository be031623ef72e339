/** How the reading of a thread stands, while it is not simply there. */
import { Button } from "../../parts/button.tsx";
import type { ListState } from "../thread-list.ts";

type ListNoticeProps = { readonly list: ListState; readonly hasRuns: boolean; readonly onRetry: () => void };

/** A skeleton while it loads, and what to do when it cannot. */
export const ListNotice = ({ list, hasRuns, onRetry }: ListNoticeProps) => {
  if (list.state === "ready") return null;
  if (list.state === "loading") return hasRuns ? null : <LogSkeleton />;
  return (
    <div class="notice bad" role="alert">
      <p>{failureWords(list.status)}</p>
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
};

/** Stands where messages will be. */
export const LogSkeleton = () => (
  <div class="log-skeleton" role="status" aria-label="Loading the conversation">
    <div class="skeleton mine" />
    <div class="skeleton" />
    <div class="skeleton short" />
  </div>
);

const failureWords = (status: number | undefined): string => {
  if (status === undefined) return "This conversation cannot be loaded: the server cannot be reached.";
  if (status === 401) return "You are signed out. Sign in to see this conversation.";
  return "This conversation cannot be loaded right now.";
};
