/** Which runs of a thread are read at the same time. */
import type { ThreadEntry } from "./thread-entry.ts";

/**
 * Streams at once. A browser keeps six connections to a host without HTTP/2, over all its tabs; the rest of the app
 * needs some of them.
 */
const MAX_STREAMS = 3;

/** `run_queued` and `user_message`: all that a waiting run has to say before its turn comes. */
const EVENTS_OF_A_WAITING_RUN = 2;

/** What decides of a run. */
export type Candidate = Pick<ThreadEntry, "run" | "isHistory" | "isUrgent">;

/**
 * Ids of the runs to read now; `candidates` are oldest first. First the oldest live one, for it is that one's turn; then
 * what is not loaded yet, newest first, because that is what one sees; then those that wait, in their order.
 */
export const chooseStreams = (candidates: readonly Candidate[]): ReadonlySet<string> => {
  const open = candidates.filter(({ run }) => run.connection?.state !== "closed");
  const head = open.find(({ isHistory }) => !isHistory);
  const urgent = open.filter(({ isUrgent }) => isUrgent);
  const loading = open.filter(isLoading).reverse();
  const inOrder = [...(head ? [head] : []), ...urgent, ...loading, ...open].map(({ run }) => run.runId);
  return new Set([...new Set(inOrder)].slice(0, MAX_STREAMS));
};

const isLoading = ({ run, isHistory }: Candidate): boolean =>
  isHistory || run.transcript.lastSeq < EVENTS_OF_A_WAITING_RUN;
