/**
 * Keeps the list of a thread's runs: read when opened, after a failure, with each turn that is sent, and when the page is seen again. It
 * begins with the newest page; older ones are read on demand.
 */
import type { ThreadRunView } from "../../../contract/thread.ts";
import { readThreadRuns } from "./read-thread-runs.ts";
import { retryDelayMs, type StreamEnvironment } from "./stream-environment.ts";

export type ListState =
  | { readonly state: "loading" }
  | { readonly state: "ready" }
  /** The server knows no such thread: it was deleted, or it has no message yet. */
  | { readonly state: "missing" }
  /** `status` is undefined when no response could be read. It is retried automatically, except after a 401 or other refusal. */
  | { readonly state: "failed"; readonly status: number | undefined };

/** Delay after the first failure. */
const RETRY_MS = 2_000;

/** The runs of one thread as the server lists them. Idle until `open`. */
export class RunList {
  readonly #threadId: string;
  readonly #environment: StreamEnvironment;
  readonly #onChange: () => void;
  #state: ListState = { state: "loading" };
  #runs: readonly ThreadRunView[] = [];
  /** Cursor of the runs before the known ones; null when there are none. */
  #older: string | null = null;
  /** The cursor of the older page that is being read. */
  #readingOlder: string | undefined;
  #closing = new AbortController();
  /** The next read covers all known runs, not only the newest. */
  #isWhole = true;
  #failures = 0;
  #request: AbortController | undefined;
  #isAskedAgain = false;
  #cancelWait = () => {};
  #leavePage: (() => void) | undefined;

  constructor(threadId: string, environment: StreamEnvironment, onChange: () => void) {
    this.#threadId = threadId;
    this.#environment = environment;
    this.#onChange = onChange;
  }

  get state(): ListState {
    return this.#state;
  }

  /** The known ones, oldest first. */
  get runs(): readonly ThreadRunView[] {
    return this.#runs;
  }

  /** There are runs before the known ones. */
  get hasOlder(): boolean {
    return this.#older !== null;
  }

  open(): void {
    this.#closing = new AbortController();
    this.#leavePage = this.#environment.onPageChange((change) => {
      if (change !== "hidden") this.reloadAll();
    });
    this.reload();
  }

  close(): void {
    this.#leavePage?.();
    this.#leavePage = undefined;
    this.#cancelWait();
    this.#request?.abort();
    this.#closing.abort();
    this.#request = undefined;
    this.#isAskedAgain = false;
  }

  /** Reads what is new. If a request is in progress, another follows it, because that one may have been too early. */
  reload(): void {
    if (this.#leavePage === undefined) return;
    this.#cancelWait();
    if (this.#request !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    const request = new AbortController();
    this.#request = request;
    void this.#read(request);
  }

  /** Reads all known runs again: any of them may have been replaced meanwhile. */
  reloadAll(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#isAskedAgain = false;
    this.#isWhole = true;
    this.reload();
  }

  /** Reads the page before the known runs. A failure is not retried until it is called again. */
  async loadOlder(): Promise<void> {
    const cursor = this.#older;
    if (cursor === null || cursor === this.#readingOlder) return;
    this.#readingOlder = cursor;
    const list = await readThreadRuns(this.#threadId, { cursor }, this.#environment, this.#closing.signal);
    if (this.#readingOlder === cursor) this.#readingOlder = undefined;
    // The pages may have been cut elsewhere meanwhile.
    if (this.#older !== cursor || list.type === "failed" || !list.isKnown) return;
    this.#runs = [...list.runs, ...this.#runs];
    this.#older = list.older;
    this.#onChange();
  }

  async #read(request: AbortController): Promise<void> {
    const until = this.#runs.at(this.#isWhole ? 0 : -1)?.runId;
    const list = await readThreadRuns(this.#threadId, { until }, this.#environment, request.signal);
    if (this.#request !== request) return;
    this.#request = undefined;
    if (list.type === "failed") this.#onFailure(list.status);
    else if (!list.isKnown) {
      this.#runs = [];
      this.#older = null;
      this.#failures = 0;
      this.#state = { state: "missing" };
    } else {
      const listed = new Set(list.runs.map(({ runId }) => runId));
      // Known runs before `until` stay. If `until` is gone, so are they: the chat was deleted and begun again.
      const place = until !== undefined && listed.has(until) ? this.#runs.findIndex(({ runId }) => runId === until) : 0;
      const before = this.#runs.slice(0, place).filter(({ runId }) => !listed.has(runId));
      this.#runs = [...before, ...list.runs];
      if (before.length === 0) this.#older = list.older;
      this.#isWhole = false;
      this.#failures = 0;
      this.#state = { state: "ready" };
    }
    this.#onChange();
    if (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      this.reload();
    }
  }

  #onFailure(status: number | undefined): void {
    // Known runs are shown all the same; the list is only outdated.
    if (this.#state.state !== "ready") this.#state = { state: "failed", status };
    if (status !== undefined && status < 500 && status !== 429) return;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures, RETRY_MS, this.#environment.random());
    this.#cancelWait = this.#environment.setTimer(() => this.reload(), delayMs);
  }
}
