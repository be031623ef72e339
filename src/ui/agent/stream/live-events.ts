/** Tells the rest of the app what the agent does, while it does it. */
import type { NumberedEvent } from "../../../contract/transcript.ts";

/** The run an event belongs to. */
type LiveRun = {
  readonly runId: string;
  readonly threadId: string;
  /** This tab sent its prompt since it was last loaded. */
  readonly isStartedHere: boolean;
  /** It is happening now. False for an event that was in the log before this tab followed the thread, as after a reload. */
  readonly isLive: boolean;
};

type Listener = (event: NumberedEvent, run: LiveRun) => void;

const listeners = new Set<Listener>();

/** Calls `listener` with each event, in the run's order, once the transcript has it. Returns a function that stops it. */
export const subscribeLiveEvents = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const emitLiveEvent: Listener = (event, run) => {
  for (const listener of listeners) listener(event, run);
};
