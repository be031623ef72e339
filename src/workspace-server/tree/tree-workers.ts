/** Runs lists and searches in workers: at most two at a time, while other calls wait in a queue; each ends in time. */
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { untilAborted } from "../../contract/within.ts";
import { unwrapAnswer } from "../../workspace/answer.ts";
import {
  type FileList,
  type ListQuery,
  type SearchQuery,
  type SearchResult,
  WorkspaceError,
} from "../../workspace/workspace.ts";
import type { Ripgrep } from "../search/ripgrep.ts";
import type { WorkspaceRoot } from "../workspace-root.ts";
import { IdleWorkers } from "./idle-workers.ts";
import type { FromWorker, ToWorker, TreeJob } from "./tree-worker.ts";

/** On most machines this leaves two cores free, and one slow search still does not hold up the next. */
const MAX_WORKERS = 2;

/** How long a list or a search may take, in ms. What was found by then is returned, marked as cut. */
const TIME_LIMIT_MS = 30_000;

/** How long it may take including the wait for a worker, in ms. The Worker waits for 60 s, then says that the server does not answer. */
const CALL_LIMIT_MS = 50_000;

/** How long a list or a search may take to notice that it was stopped, in ms: it checks between files. Then its worker is terminated. */
const STOP_GRACE_MS = 1_000;

type Ended = Exclude<FromWorker, { type: "find" }>;

/** Settings that tests and programs change. */
export type TreeOptions = {
  readonly ripgrep?: Ripgrep | undefined;
  /** Workers to share with others; whoever passes them closes them. Its own by default. */
  readonly workers?: IdleWorkers | undefined;
  readonly timeLimitMs?: number;
  /** Called when a call arrives. The signal aborts when the call has to be answered, by default 50 s later. */
  readonly callLimit?: () => AbortSignal;
  readonly stopGraceMs?: number;
};

/** Lists and searches below one root. */
export class TreeWorkers {
  readonly #root: WorkspaceRoot;
  readonly #ripgrep: Ripgrep | undefined;
  readonly #timeLimitMs: number;
  readonly #callLimit: () => AbortSignal;
  readonly #stopGraceMs: number;
  readonly #limit = pLimit(MAX_WORKERS);
  readonly #running = new Set<Promise<unknown>>();
  readonly #workers: IdleWorkers;
  readonly #areShared: boolean;
  readonly #closed = new AbortController();

  constructor(
    root: WorkspaceRoot,
    {
      ripgrep,
      workers,
      timeLimitMs = TIME_LIMIT_MS,
      callLimit = () => AbortSignal.timeout(CALL_LIMIT_MS),
      stopGraceMs = STOP_GRACE_MS,
    }: TreeOptions = {},
  ) {
    this.#root = root;
    this.#workers = workers ?? new IdleWorkers();
    this.#areShared = workers !== undefined;
    this.#ripgrep = ripgrep;
    this.#timeLimitMs = timeLimitMs;
    this.#callLimit = callLimit;
    this.#stopGraceMs = stopGraceMs;
  }

  /** Starts the first worker, so that the first call does not wait for it. */
  warm(): void {
    if (!this.#areShared) this.#workers.warm();
  }

  /** The files. When `left` aborts, nobody waits any more, and what was found by then is returned. @throws {WorkspaceError} */
  async list(query: ListQuery, left: AbortSignal): Promise<FileList> {
    const ended = await this.#run({ root: this.#root, hasRipgrep: false, kind: "list", query }, left);
    if (ended?.type === "list") return unwrapAnswer(ended.answer);
    return { entries: [], isCut: true };
  }

  /** Like `list`. @throws {WorkspaceError} */
  async search(query: SearchQuery, left: AbortSignal): Promise<SearchResult> {
    const hasRipgrep = this.#ripgrep !== undefined;
    const ended = await this.#run({ root: this.#root, hasRipgrep, kind: "search", query }, left);
    if (ended?.type === "search") return unwrapAnswer(ended.answer);
    return { lines: [], isCut: true };
  }

  /** Ends everything that is running or waiting. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled(this.#running);
    if (!this.#areShared) await this.#workers.close();
  }

  /** Undefined when nobody waits any more. @throws {WorkspaceError} `refused` when the call's time is over before it has a worker. */
  async #run(job: TreeJob, left: AbortSignal): Promise<Ended | undefined> {
    const nobody = AbortSignal.any([left, this.#closed.signal]);
    const late = this.#callLimit();
    const begun = Promise.withResolvers<void>();
    const work = this.#limit(async () => {
      if (nobody.aborted || late.aborted) return undefined;
      begun.resolve();
      const running = this.#runNow(job, nobody, late);
      this.#running.add(running);
      return await running.finally(() => this.#running.delete(running));
    });
    // A caller that leaves while its call is queued does not wait any longer: the call is skipped when its turn comes.
    if ((await untilAborted(AbortSignal.any([nobody, late]), begun.promise)) !== "aborted") return await work;
    if (nobody.aborted) return undefined;
    throw new WorkspaceError("refused", BUSY);
  }

  async #runNow(job: TreeJob, nobody: AbortSignal, late: AbortSignal): Promise<Ended | undefined> {
    const worker = this.#workers.take();
    const over = AbortSignal.any([nobody, late, timeUp(this.#timeLimitMs)]);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const stopped = Promise.withResolvers<"stopped">();
    let timer: NodeJS.Timeout | undefined;
    const halt = () => {
      Atomics.store(stop, 0, 1);
      timer = setTimeout(() => stopped.resolve("stopped"), this.#stopGraceMs);
    };
    over.addEventListener("abort", halt, { once: true });
    if (over.aborted) halt();
    try {
      const ended = await Promise.race([this.#converse(worker, { type: "job", job, stop }, over), stopped.promise]);
      if (ended !== "stopped") {
        this.#workers.giveBack(worker);
        return ended;
      }
    } catch (error) {
      await worker.terminate();
      throw brokenOff(error);
    } finally {
      clearTimeout(timer);
      over.removeEventListener("abort", halt);
    }
    await worker.terminate();
    if (nobody.aborted) return undefined;
    throw new WorkspaceError("too_large", `This took too long and was stopped. ${NARROW}`);
  }

  /** Runs ripgrep when the worker asks for it. Rejects when the worker breaks. */
  async #converse(worker: Worker, first: ToWorker, over: AbortSignal): Promise<Ended> {
    worker.ref();
    worker.postMessage(first);
    for (;;) {
      const [message]: FromWorker[] = await once(worker, "message");
      if (message === undefined) continue;
      if (message.type !== "find") return message;
      const counts = await this.#ripgrep?.(this.#root.dir, message.query, over);
      const said: ToWorker = { type: "counts", counts };
      worker.postMessage(said);
    }
  }
}

/** A time of 0 is over at once, without a race against the worker. */
const timeUp = (ms: number): AbortSignal => (ms === 0 ? AbortSignal.abort() : AbortSignal.timeout(ms));

const NARROW = "Name a smaller directory, a glob, or a simpler pattern.";

const BUSY = `This did not begin: other lists and searches took all the time. Make fewer at once. ${NARROW}`;

const brokenOff = (error: unknown): WorkspaceError => {
  const words = error instanceof Error ? error.message : String(error);
  return new WorkspaceError("unavailable", `The search or list failed (${words}). ${NARROW}`, { cause: error });
};
