/** Keeps the list of a thread's runs: read when opened, after a failure, with each turn that is sent, and when the page is seen again. */
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
  #lastCursor: string | undefined;
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

  /** Oldest first. */
  get runs(): readonly ThreadRunView[] {
    return this.#runs;
  }

  open(): void {
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

  /** Reads all pages: known runs may have been replaced meanwhile, even those on an earlier page. */
  reloadAll(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#isAskedAgain = false;
    this.#lastCursor = undefined;
    this.reload();
  }

  async #read(request: AbortController): Promise<void> {
    const isWhole = this.#lastCursor === undefined;
    const list = await readThreadRuns(this.#threadId, this.#lastCursor, this.#environment, request.signal);
    if (this.#request !== request) return;
    this.#request = undefined;
    if (list.type === "failed") this.#onFailure(list.status);
    else if (!list.isKnown) {
      this.#runs = [];
      this.#lastCursor = undefined;
      this.#failures = 0;
      this.#state = { state: "missing" };
    } else {
      // A known run may have been replaced meanwhile, or be gone with a chat that was deleted and begun again.
      const listed = new Map(list.runs.map((run) => [run.runId, run]));
      const known = new Set(this.#runs.map(({ runId }) => runId));
      const before = this.#runs.map((run) => listed.get(run.runId) ?? run);
      this.#runs = isWhole ? list.runs : [...before, ...list.runs.filter(({ runId }) => !known.has(runId))];
      this.#lastCursor = list.lastCursor;
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
