/** A run within its thread, as the screen shows it. */
import type { StreamConnection } from "./stream-connection.ts";
import type { TranscriptState } from "./transcript-state.ts";

/** One run. A new object whenever anything of it changed, and only then. */
export type ThreadRun = {
  readonly runId: string;
  /** ISO 8601 UTC; undefined until the thread's list names the run. */
  readonly createdAt: string | undefined;
  readonly transcript: TranscriptState;
  /**
   * Undefined while nobody reads it: its turn to be loaded has not come, or it waits behind others in the queue. Closed
   * as `expired` or `not_found`, its transcript is gone for good.
   */
  readonly connection: StreamConnection | undefined;
};

/** A run that goes on elsewhere than the one before it; undefined when it does not, or when one of them is unknown. */
export const workspaceChange = (
  before: ThreadRun | undefined,
  run: ThreadRun,
): { readonly from: string; readonly to: string } | undefined => {
  const from = before?.transcript.workspaceDir;
  const to = run.transcript.workspaceDir;
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
};
