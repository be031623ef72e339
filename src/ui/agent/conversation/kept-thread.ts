/** One thread that this tab follows, with what decides how long. */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { emitLiveEvent } from "../live-events.ts";
import type { ThreadRun } from "../thread-run.ts";
import { ThreadTranscript } from "../thread-transcript.ts";
import { hasEnded, openRequestOf } from "../transcript-state.ts";
import { announceEvents } from "./announce-events.ts";

/** Runs whose prompt this tab sent. */
const startedHere = new Set<string>();

/** Notes that this tab started a run. */
export const noteStarted = (runId: string): void => {
  startedHere.add(runId);
};

/** A transcript, and which of its runs this tab has seen alive: a finished run's replay never counts as going on. */
export class KeptThread {
  readonly transcript: ThreadTranscript;
  readonly #seenAlive = new Set<string>();
  /** By this device's clock: where it is wrong by seconds, a change of these seconds is only not pointed at. */
  readonly #followedSinceMs = Date.now();
  /** Components that show it. */
  viewers = 0;

  constructor(threadId: string) {
    this.transcript = new ThreadTranscript(threadId, {
      onLiveEvents: (runId, events) => this.#onLiveEvents(runId, events),
    });
  }

  /** Not over yet, oldest first. */
  get liveRuns(): readonly ThreadRun[] {
    return this.transcript.getSnapshot().runs.filter((run) => this.isLive(run));
  }

  /** Whether more may come of a run. */
  isLive(run: ThreadRun): boolean {
    return (
      (this.#seenAlive.has(run.runId) || startedHere.has(run.runId)) &&
      !hasEnded(run.transcript) &&
      run.connection?.state !== "closed"
    );
  }

  /** Whether a run waits for an answer. */
  get isAsking(): boolean {
    return this.liveRuns.some(({ transcript }) => openRequestOf(transcript) !== undefined);
  }

  #onLiveEvents(runId: string, events: readonly NumberedEvent[]): void {
    this.#seenAlive.add(runId);
    const isStartedHere = startedHere.has(runId);
    const isLive = ({ at }: NumberedEvent): boolean => isStartedHere || Date.parse(at) >= this.#followedSinceMs;
    announceEvents(events.filter(isLive));
    for (const event of events) {
      emitLiveEvent(event, { runId, threadId: this.transcript.threadId, isStartedHere, isLive: isLive(event) });
    }
  }
}
