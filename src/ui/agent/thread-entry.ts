/** What a thread's transcript keeps of one run besides what it shows. */
import type { RunStatus } from "../../contract/run.ts";
import type { RunStream } from "./run-stream.ts";
import type { ThreadRun } from "./thread-run.ts";
import { newTranscript } from "./transcript-state.ts";

/** One run of the thread. `run` is replaced when it changes; the rest is the store's own. */
export type ThreadEntry = {
  run: ThreadRun;
  readonly eventsPath: string;
  /** It was over when this client learned of it: it is read once, and closes by itself. */
  readonly isHistory: boolean;
  /** Somebody waits for this one. */
  isUrgent: boolean;
  /** While it is read. */
  stream: RunStream | undefined;
};

/** A run nothing is known of yet, but what was sent. */
export const newEntry = (runId: string, eventsPath: string, isHistory: boolean, prompt?: string): ThreadEntry => ({
  run: { runId, createdAt: undefined, transcript: newTranscript(runId, prompt), connection: undefined },
  eventsPath,
  isHistory,
  isUrgent: false,
  stream: undefined,
});

const OPEN_STATUSES: ReadonlySet<RunStatus> = new Set(["queued", "running", "waiting_permission", "aborting"]);

/** Whether a status is final. The contract's own `isTerminal` would bring zod into the browser. */
export const isOver = (status: RunStatus): boolean => !OPEN_STATUSES.has(status);

/** Whether asking again can help: after a new sign-in, or a new version of the server. */
export const isWorthAnotherTry = ({ connection }: ThreadRun): boolean =>
  connection?.state === "closed" && (connection.reason === "signed_out" || connection.reason === "refused");
