/**
 * A thread as the screen shows it, rebuilt from its runs: the list says which there are, each run's own stream says what
 * happened. The newest are read first and older ones on demand. No framework in here; a hook subscribes to it.
 */
import type { NumberedEvent } from "../../contract/transcript.ts";
import { applyEvents } from "./apply-event.ts";
import { chooseStreams } from "./choose-streams.ts";
import { followRun, type RunStream } from "./run-stream.ts";
import { browserEnvironment, type StreamEnvironment } from "./stream-environment.ts";
import { isOver, isWorthAnotherTry, newEntry, type ThreadEntry } from "./thread-entry.ts";
import { type ListState, ThreadList } from "./thread-list.ts";
import type { ThreadRun } from "./thread-run.ts";

/** Runs that are shown at first, and how many more `showOlder` adds. */
const RUNS_PER_STEP = 10;

/** The thread at one moment. A new object after each change, and only then. */
export type ThreadSnapshot = {
  readonly list: ListState;
  /** Oldest first: the shown end of the thread. */
  readonly runs: readonly ThreadRun[];
  /** There are older runs than the shown ones. */
  readonly hasOlder: boolean;
};

/** Settings of a thread's transcript. */
export type ThreadOptions = {
  /** Told of events of runs that were not over when this thread learned of them, after they are in the snapshot. */
  readonly onLiveEvents?: (runId: string, events: readonly NumberedEvent[]) => void;
  readonly environment?: StreamEnvironment;
  /** Silence after which a stream counts as dead. */
  readonly stallMs?: number;
};

/** A run that has just been started: the turn's answer, with the prompt to show before its first event. */
export type StartedRun = { readonly runId: string; readonly events: string; readonly prompt?: string };

/** One thread. Does nothing until `open`, and nothing more after `close`; what it has read stays readable. */
export class ThreadTranscript {
  readonly threadId: string;
  readonly #options: ThreadOptions;
  readonly #list: ThreadList;
  readonly #entries = new Map<string, ThreadEntry>();
  readonly #listeners = new Set<() => void>();
  /** All known runs, oldest first. */
  #order: readonly string[] = [];
  /** How many of the oldest are not shown; decided with the first list. */
  #hidden = 0;
  #isListed = false;
  #isOpen = false;
  #snapshot: ThreadSnapshot | undefined;

  constructor(threadId: string, options: ThreadOptions = {}) {
    this.threadId = threadId;
    this.#options = options;
    this.#list = new ThreadList(threadId, options.environment ?? browserEnvironment, () => this.#onList());
  }

  /** The same object until something changes. */
  readonly getSnapshot = (): ThreadSnapshot => {
    this.#snapshot ??= {
      list: this.#list.state,
      runs: this.#shown().map(({ run }) => run),
      hasOlder: this.#hidden > 0,
    };
    return this.#snapshot;
  };

  /** Calls `listener` after each change until the answered function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Begins to read the list and the runs. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#list.open();
    this.#reconcile();
  }

  /** Ends all requests. It can be opened again and goes on where it was. */
  close(): void {
    this.#isOpen = false;
    this.#list.close();
    this.#reconcile();
  }

  /** Shows a run that the list may not name yet, at the end; one that is known already stays as it is. */
  addRun({ runId, events, prompt }: StartedRun): void {
    if (this.#entries.has(runId)) return;
    this.#entries.set(runId, newEntry(runId, events, false, prompt));
    this.#order = [...this.#order, runId];
    this.#onChange();
  }

  /** Shows older runs. */
  showOlder(): void {
    this.#hidden = Math.max(0, this.#hidden - RUNS_PER_STEP);
    this.#show();
    this.#onChange();
  }

  /** Reads this run now, whatever else is waiting: for one that was stopped while it was queued. */
  followFirst(runId: string): void {
    const entry = this.#entries.get(runId);
    if (entry !== undefined) entry.isUrgent = true;
    this.#reconcile();
  }

  /** Asks again, at once, for all that waits or was refused; also for runs that others may have started. */
  reconnect(): void {
    this.#list.reload();
    for (const entry of this.#entries.values()) {
      entry.stream?.retryNow();
      if (isWorthAnotherTry(entry.run)) entry.run = { ...entry.run, connection: undefined };
    }
    this.#onChange();
  }

  #onList(): void {
    const listed = this.#list.runs.map(({ runId }) => runId);
    const known = new Set<string>(listed);
    const firstOwn = listed.findIndex((runId) => this.#entries.has(runId));
    // What was added before the list knew of it is newer than all the list names.
    this.#order = [...listed, ...this.#order.filter((runId) => !known.has(runId))];
    if (this.#list.state.state === "ready" && !this.#isListed) {
      this.#isListed = true;
      this.#hidden = Math.max(0, Math.min(this.#order.length - RUNS_PER_STEP, firstOwn < 0 ? Infinity : firstOwn));
    }
    this.#show();
    this.#onChange();
  }

  /** Makes entries of the listed runs that are shown. */
  #show(): void {
    for (const { runId, events, createdAt, status } of this.#list.runs.slice(this.#hidden)) {
      const entry = this.#entries.get(runId) ?? newEntry(runId, events, isOver(status));
      if (entry.run.createdAt !== createdAt) entry.run = { ...entry.run, createdAt };
      this.#entries.set(runId, entry);
    }
  }

  #shown(): ThreadEntry[] {
    return this.#order.slice(this.#hidden).flatMap((runId) => this.#entries.get(runId) ?? []);
  }

  /** Begins and ends streams until exactly the chosen runs are read. */
  #reconcile(): void {
    const chosen = chooseStreams(this.#isOpen ? this.#shown() : []);
    for (const entry of this.#entries.values()) {
      if (entry.stream !== undefined && !chosen.has(entry.run.runId)) this.#leave(entry);
    }
    for (const entry of [...chosen].flatMap((runId) => this.#entries.get(runId) ?? [])) {
      entry.stream ??= this.#follow(entry);
    }
  }

  #follow(entry: ThreadEntry): RunStream {
    const { environment = browserEnvironment, stallMs } = this.#options;
    const stream = followRun({
      eventsPath: entry.eventsPath,
      afterSeq: entry.run.transcript.lastSeq,
      environment,
      ...(stallMs === undefined ? {} : { stallMs }),
      onEvents: (events) => {
        entry.run = { ...entry.run, transcript: applyEvents(entry.run.transcript, events) };
        this.#onChange();
        if (!entry.isHistory) this.#options.onLiveEvents?.(entry.run.runId, events);
      },
      onConnection: (connection) => {
        // It was left for another run, or closed with the thread: that is no state of the run.
        if (connection.state === "closed" && connection.reason === "stopped") return;
        entry.run = { ...entry.run, connection };
        if (connection.state === "closed") entry.stream = undefined;
        this.#onChange();
      },
    });
    return stream;
  }

  #leave(entry: ThreadEntry): void {
    entry.stream?.stop();
    entry.stream = undefined;
    entry.run = { ...entry.run, connection: undefined };
    this.#tell();
  }

  #onChange(): void {
    this.#reconcile();
    this.#tell();
  }

  #tell(): void {
    this.#snapshot = undefined;
    for (const listener of this.#listeners) listener();
  }
}
