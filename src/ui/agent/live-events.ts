/** Where the rest of the app hears of what the agent does, while it does it. */
import type { NumberedEvent } from "../../contract/transcript.ts";

/** The run an event belongs to. */
type LiveRun = {
  readonly runId: string;
  readonly threadId: string;
  /** This tab sent its prompt, since it was last loaded. */
  readonly isStartedHere: boolean;
  /** It happens now. Else it stood in the log before this tab began to follow the thread, as after a reload. */
  readonly isLive: boolean;
};

type Listener = (event: NumberedEvent, run: LiveRun) => void;

const listeners = new Set<Listener>();

/** Calls `listener` with each event, in a run's own order, once it is part of the transcript; gives what ends it. */
export const subscribeLiveEvents = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Tells everybody who listens. */
export const emitLiveEvent: Listener = (event, run) => {
  for (const listener of listeners) listener(event, run);
};
