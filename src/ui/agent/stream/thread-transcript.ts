/**
 * A thread as the screen shows it, built from its runs: the list says which runs there are, and each run's stream says what happened.
 * The newest are read first, older ones on demand. Independent of the UI framework; a hook subscribes to it.
 */
import { applyEvents } from "./apply-event.ts";
import { confirmEnd } from "./confirm-end.ts";
import { RunList } from "./run-list.ts";
import { followRun, type RunStream } from "./run-stream.ts";
import { browserEnvironment, type StreamEnvironment } from "./stream-environment.ts";
import type { StartedRun, ThreadEntry, ThreadOptions, ThreadSnapshot } from "./thread-run.ts";
import { chooseStreams, isWorthAnotherTry, listedEntry, newEntry, noteOpened } from "./thread-run.ts";

/** How many runs are shown at first, and how many more `showOlder` adds. */
const RUNS_PER_STEP = 10;

/** One thread. Idle until `open` and after `close`; what it has read stays readable. */
export class ThreadTranscript {
  readonly threadId: string;
  readonly #options: ThreadOptions & { readonly environment: StreamEnvironment };
  readonly #list: RunList;
  readonly #entries = new Map<string, ThreadEntry>();
  readonly #listeners = new Set<() => void>();
  /** All known runs, oldest first. */
  #order: readonly string[] = [];
  /** How many of the oldest are hidden; set with the first list. Below 0: how many more to show once older runs are listed. */
  #hidden = 0;
  /** The oldest run of the last list. */
  #oldest: string | undefined;
  #isListed = false;
  #isOpen = false;
  #snapshot: ThreadSnapshot | undefined;

  constructor(threadId: string, { environment = browserEnvironment, ...options }: ThreadOptions = {}) {
    this.threadId = threadId;
    this.#options = { ...options, environment };
    this.#list = new RunList(threadId, environment, () => this.#onList());
  }

  /** The same object until something changes. */
  readonly getSnapshot = (): ThreadSnapshot => {
    this.#snapshot ??= {
      list: this.#list.state,
      runs: this.#shown().map(({ run }) => run),
      hasOlder: this.#hidden > 0 || this.#list.hasOlder,
    };
    return this.#snapshot;
  };

  /** Calls `listener` after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts reading the list and the runs. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#list.open();
    this.#reconcile();
  }

  /** Ends all requests. It can be opened again and continues where it was. */
  close(): void {
    this.#isOpen = false;
    this.#list.close();
    this.#reconcile();
  }

  /** Appends a run that the list may not have yet, and looks for those before it; a known one stays as it is. */
  addRun({ runId, events, prompt, isAgain }: StartedRun): void {
    if (this.#entries.has(runId)) return;
    const aliveAtMs = isAgain ? Number.NEGATIVE_INFINITY : this.#options.environment.nowMs();
    this.#entries.set(runId, newEntry({ runId, eventsPath: events, isHistory: false, prompt, aliveAtMs }));
    this.#order = [...this.#order, runId];
    this.#list.reload();
    this.#onChange();
  }

  /** Shows older runs. */
  showOlder(): void {
    // Presses while a page is on its way do not add up.
    this.#hidden = Math.max(0, this.#hidden) - RUNS_PER_STEP;
    this.#show();
    this.#onChange();
  }

  /** Reads this run next, after the one at work: for one that was stopped while queued. */
  followFirst(runId: string): void {
    const entry = this.#entries.get(runId);
    if (entry !== undefined) entry.isUrgent = true;
    this.#reconcile();
  }

  /** Retries at once whatever waits or was refused, and looks for runs started elsewhere. */
  reconnect(): void {
    this.#list.reloadAll();
    for (const entry of this.#entries.values()) {
      entry.stream?.retryNow();
      if (isWorthAnotherTry(entry.run)) entry.run = { ...entry.run, connection: undefined };
    }
    this.#onChange();
  }

  #onList(): void {
    const listed: readonly string[] = this.#list.runs.map(({ runId }) => runId);
    const known = new Set(listed);
    this.#dropGone(known);
    this.#hidden += Math.max(0, listed.indexOf(this.#oldest ?? ""));
    this.#oldest = listed[0];
    const firstOwn = listed.findIndex((runId) => this.#entries.has(runId));
    // Runs added before the list had them are newer than all listed ones.
    this.#order = [...listed, ...this.#order.filter((runId) => !known.has(runId) && this.#entries.has(runId))];
    if (this.#list.state.state === "ready" && !this.#isListed) {
      this.#isListed = true;
      this.#hidden = Math.min(this.#order.length - RUNS_PER_STEP, firstOwn < 0 ? Infinity : firstOwn);
    }
    this.#show();
    this.#onChange();
  }

  /** Drops runs of a thread that was deleted elsewhere. Runs that the list never named stay: they are of a new thread with the same id. */
  #dropGone(known: ReadonlySet<string>): void {
    for (const { run, stream } of this.#entries.values()) {
      if (run.createdAt === undefined || known.has(run.runId)) continue;
      stream?.stop();
      this.#entries.delete(run.runId);
    }
    this.#hidden = Math.min(this.#hidden, Math.max(0, known.size - RUNS_PER_STEP));
  }

  /** Creates entries for the listed runs that are shown. Has older runs listed one step ahead. */
  #show(): void {
    for (const view of this.#list.runs.slice(Math.max(0, this.#hidden))) {
      this.#entries.set(view.runId, listedEntry(this.#entries.get(view.runId), view, this.#options.environment));
    }
    if (this.#hidden < RUNS_PER_STEP) void this.#list.loadOlder();
  }

  #shown(): ThreadEntry[] {
    return this.#order.slice(Math.max(0, this.#hidden)).flatMap((runId) => this.#entries.get(runId) ?? []);
  }

  /** Starts and stops streams so that exactly the chosen runs are read. */
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
    const { environment, stallMs } = this.#options;
    return followRun({
      eventsPath: entry.eventsPath,
      afterSeq: entry.run.transcript.lastSeq,
      environment,
      ...(stallMs === undefined ? {} : { stallMs }),
      onEvents: (events) => {
        entry.aliveAtMs = environment.nowMs();
        entry.run = { ...entry.run, transcript: applyEvents(entry.run.transcript, events) };
        this.#onChange();
        if (entry.isHistory) return;
        void confirmEnd(environment, entry.eventsPath, events);
        this.#options.onLiveEvents?.(entry.run.runId, events, entry.missedUntilMs);
      },
      onConnection: (connection) => {
        // Stopped in favour of another run, or with the thread: that is not a state of the run.
        if (connection.state === "closed" && connection.reason === "stopped") return;
        entry.run = { ...entry.run, connection };
        if (connection.state === "open") noteOpened(entry, environment.nowMs());
        if (connection.state === "closed") entry.stream = undefined;
        this.#onChange();
      },
    });
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
