/** Keeps the list of a thread's runs: read at the opening, again when it fails, and when the page is seen again. */
import type { ThreadRunView } from "../../contract/thread.ts";
import { readThreadRuns } from "./read-thread-runs.ts";
import { retryDelayMs } from "./stream-connection.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** How the list stands. */
export type ListState =
  | { readonly state: "loading" }
  | { readonly state: "ready" }
  /** `status` is undefined when nobody answered. But for 401 and other refusals it is tried again by itself. */
  | { readonly state: "failed"; readonly status: number | undefined };

/** Pause after the first failure. */
const RETRY_MS = 2_000;

/** The runs of one thread as the server lists them. Does nothing until `open`. */
export class ThreadList {
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
      if (change !== "hidden") this.reload();
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

  /** Reads what is new. While a request is on its way, another follows it: that one may have been too early. */
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

  async #read(request: AbortController): Promise<void> {
    const list = await readThreadRuns(this.#threadId, this.#lastCursor, this.#environment, request.signal);
    if (this.#request !== request) return;
    this.#request = undefined;
    if (list.type === "failed") this.#onFailure(list.status);
    else {
      const known = new Set(this.#runs.map(({ runId }) => runId));
      this.#runs = [...this.#runs, ...list.runs.filter(({ runId }) => !known.has(runId))];
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
    // Runs that are known are shown all the same; the list is then only behind.
    if (this.#state.state !== "ready") this.#state = { state: "failed", status };
    if (status !== undefined && status < 500 && status !== 429) return;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures, RETRY_MS, this.#environment.random());
    this.#cancelWait = this.#environment.setTimer(() => this.reload(), delayMs);
  }
}
