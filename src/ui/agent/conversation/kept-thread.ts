/** The threads that this tab follows, and for how long. */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { noteAnswered, noteFollowed, noteUnfollowed } from "../stream/asking-threads.ts";
import { emitLiveEvent } from "../stream/live-events.ts";
import type { StartedRun, ThreadRun } from "../stream/thread-run.ts";
import { ThreadTranscript } from "../stream/thread-transcript.ts";
import type { SteerItem } from "../stream/transcript-item.ts";
import { hasEnded, openRequestIdOf, openRequestOf } from "../stream/transcript-state.ts";
import { announceEvents } from "./announce-events.ts";

/** Runs whose prompt this tab sent. */
const startedHere = new Set<string>();

/** A transcript, and which of its runs this tab has seen live: the replay of a finished run never counts as live. */
export class KeptThread {
  readonly transcript: ThreadTranscript;
  readonly #seenAlive = new Set<string>();
  /**
   * Runs whose prompts were sent while this thread was kept. All their events count as live, except those that came while the page was
   * away. If the thread is dropped and kept again later, their earlier events are only replayed.
   */
  readonly #begun = new Set<string>();
  /** By this device's clock. If that is off by seconds, a change within those seconds is shown without a highlight. */
  readonly #followedSinceMs = Date.now();
  /** How many components show it. */
  viewers = 0;

  constructor(threadId: string) {
    this.transcript = new ThreadTranscript(threadId, {
      onLiveEvents: (runId, events, missedUntilMs) => this.#onLiveEvents(runId, events, missedUntilMs),
    });
  }

  /** Follows a run whose prompt this tab has just sent, for as long as somebody looks at the thread or it has a live run. */
  begin(run: StartedRun): void {
    startedHere.add(run.runId);
    this.#begun.add(run.runId);
    // Added before the transcript opens, because opening reads the list as well.
    this.transcript.addRun(run);
    this.transcript.open();
  }

  /** Runs that have not ended, oldest first. */
  get liveRuns(): readonly ThreadRun[] {
    return this.transcript.getSnapshot().runs.filter((run) => this.isLive(run));
  }

  /** Whether a run may still produce events. */
  isLive(run: ThreadRun): boolean {
    return (
      (this.#seenAlive.has(run.runId) || this.#begun.has(run.runId)) &&
      !hasEnded(run.transcript) &&
      run.connection?.state !== "closed"
    );
  }

  /** Whether a run is waiting for the person. */
  get isAsking(): boolean {
    return this.liveRuns.some(({ transcript }) => openRequestOf(transcript) !== undefined);
  }

  #onLiveEvents(runId: string, events: readonly NumberedEvent[], missedUntilMs: number): void {
    this.#seenAlive.add(runId);
    const isStartedHere = startedHere.has(runId);
    const keptSinceMs = this.#begun.has(runId) ? 0 : this.#followedSinceMs;
    const isLive = ({ at }: NumberedEvent): boolean => Date.parse(at) >= Math.max(missedUntilMs, keptSinceMs);
    const run = this.transcript.getSnapshot().runs.find((one) => one.runId === runId);
    const openId = run && !hasEnded(run.transcript) ? openRequestIdOf(run.transcript) : undefined;
    // What still waits for the person is announced even if it came while the page was away.
    const isWaiting = (event: NumberedEvent): boolean =>
      Date.parse(event.at) >= keptSinceMs && "requestId" in event && event.requestId === openId;
    announceEvents(
      events.filter((event) => isLive(event) || isWaiting(event)),
      run?.transcript.items ?? [],
    );
    for (const event of events) {
      if (ANSWERS.has(event.type)) noteAnswered(this.transcript.threadId);
      emitLiveEvent(event, { runId, threadId: this.transcript.threadId, isStartedHere, isLive: isLive(event) });
    }
    // Settle again: the snapshot was published before the run was known to be live, and an answer may have removed the thread from those
    // that ask by the list.
    settle();
  }
}

/** Events after which the run no longer waits for the person. */
const ANSWERS: ReadonlySet<string> = new Set(["permission_reply", "question_reply", "run_end"]);

/** Most hidden threads followed at once: each takes connections, and a browser has six. */
const MAX_UNSEEN = 1;

const kept = new Map<string, KeptThread>();

/**
 * Returns the followed thread, or starts keeping one. Nothing is read until its transcript is opened. The tab follows
 * the threads that are shown, and one hidden thread with a live run, so that its changes reach the list and its questions
 * reach the person.
 */
export const keptThread = (threadId: string): KeptThread => {
  const known = kept.get(threadId);
  if (known !== undefined) return known;
  const thread = new KeptThread(threadId);
  kept.set(threadId, thread);
  thread.transcript.subscribe(() => settle());
  return thread;
};

/** Keeps the thread until the returned function is called, and after that while a run is live. */
export const viewThread = (threadId: string): (() => void) => {
  const thread = keptThread(threadId);
  thread.viewers += 1;
  return () => {
    thread.viewers -= 1;
    settle();
  };
};

/** A message that the person gave to a run while it worked, from the run's transcript; undefined if that does not have it. */
export const findSteer = (threadId: string, runId: string, messageId: string): SteerItem | undefined => {
  const { runs } = keptThread(threadId).transcript.getSnapshot();
  const items = runs.find((run) => run.runId === runId)?.transcript.items ?? [];
  return items.filter((item) => item.type === "steer").find((item) => item.messageId === messageId);
};

/** Ends all requests of a thread that was deleted. */
export const forgetThread = (threadId: string): void => {
  kept.get(threadId)?.transcript.close();
  kept.delete(threadId);
  noteAnswered(threadId);
  settle();
};

const settle = (): void => {
  const unseen = [...kept].filter(([, { viewers }]) => viewers === 0);
  const going = unseen.filter(([, thread]) => thread.liveRuns.length > 0).slice(-MAX_UNSEEN);
  for (const [threadId, thread] of unseen) {
    if (going.some(([other]) => other === threadId)) continue;
    // More hidden threads work than are followed. This one's question still waits for the person.
    if (thread.isAsking) noteUnfollowed(threadId);
    kept.delete(threadId);
    thread.transcript.close();
  }
  noteFollowed([...kept].filter(([, { isAsking }]) => isAsking).map(([threadId]) => threadId));
};
