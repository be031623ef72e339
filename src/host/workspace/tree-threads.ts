/** The threads of lists and searches: at most two work, the other calls wait for their turn; each ends in time. */
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { unwrapAnswer } from "../../workspace/answer.ts";
import {
  type FileList,
  type ListQuery,
  type SearchQuery,
  type SearchResult,
  WorkspaceError,
} from "../../workspace/workspace.ts";
import { IdleThreads } from "./idle-threads.ts";
import type { Ripgrep } from "./ripgrep.ts";
import type { FromThread, ToThread, TreeJob } from "./tree-thread.ts";
import { Turns } from "./turns.ts";
import type { WorkspaceRoot } from "./workspace-root.ts";

/** Two cores are left to the others on most machines, and one slow search does not make the next one wait. */
const MAX_THREADS = 2;

/** How long a list or a search may take, in ms. What was found until then is given, cut. */
const TIME_LIMIT_MS = 30_000;

/** How long a stopped one may take to notice, in ms: it looks between two files. Then its thread is ended. */
const STOP_GRACE_MS = 1_000;

type Ended = Exclude<FromThread, { type: "find" }>;

/** Settings that tests and programs change. */
export type TreeOptions = {
  readonly ripgrep?: Ripgrep | undefined;
  /** Threads that several of these share, and whoever gave them closes. Its own by default. */
  readonly threads?: IdleThreads | undefined;
  readonly timeLimitMs?: number;
  readonly stopGraceMs?: number;
};

/** Lists and searches below one root. */
export class TreeThreads {
  readonly #root: WorkspaceRoot;
  readonly #ripgrep: Ripgrep | undefined;
  readonly #timeLimitMs: number;
  readonly #stopGraceMs: number;
  readonly #turns = new Turns(MAX_THREADS);
  readonly #threads: IdleThreads;
  readonly #areShared: boolean;
  readonly #closed = new AbortController();

  constructor(
    root: WorkspaceRoot,
    { ripgrep, threads, timeLimitMs = TIME_LIMIT_MS, stopGraceMs = STOP_GRACE_MS }: TreeOptions = {},
  ) {
    this.#root = root;
    this.#threads = threads ?? new IdleThreads();
    this.#areShared = threads !== undefined;
    this.#ripgrep = ripgrep;
    this.#timeLimitMs = timeLimitMs;
    this.#stopGraceMs = stopGraceMs;
  }

  /** Starts the first thread, so that the first call does not wait for it. */
  warm(): void {
    if (!this.#areShared) this.#threads.warm();
  }

  /** What there was until `left` aborts, which says that nobody waits any more. @throws {WorkspaceError} */
  async list(query: ListQuery, left: AbortSignal): Promise<FileList> {
    const ended = await this.#run({ root: this.#root, hasRipgrep: false, kind: "list", query }, left);
    if (ended?.type === "list") return unwrapAnswer(ended.answer);
    return { entries: [], isCut: true };
  }

  /** As `list`. @throws {WorkspaceError} */
  async search(query: SearchQuery, left: AbortSignal): Promise<SearchResult> {
    const hasRipgrep = this.#ripgrep !== undefined;
    const ended = await this.#run({ root: this.#root, hasRipgrep, kind: "search", query }, left);
    if (ended?.type === "search") return unwrapAnswer(ended.answer);
    return { lines: [], isCut: true };
  }

  /** Ends everything that runs and waits. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#turns.allFree();
    if (!this.#areShared) await this.#threads.close();
  }

  /** Undefined when nobody waits any more. */
  async #run(job: TreeJob, left: AbortSignal): Promise<Ended | undefined> {
    const nobody = AbortSignal.any([left, this.#closed.signal]);
    if (!(await this.#turns.take(nobody))) return undefined;
    try {
      return await this.#runNow(job, nobody);
    } finally {
      this.#turns.giveBack();
    }
  }

  async #runNow(job: TreeJob, nobody: AbortSignal): Promise<Ended | undefined> {
    const thread = this.#threads.take();
    const over = AbortSignal.any([nobody, AbortSignal.timeout(this.#timeLimitMs)]);
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
      const ended = await Promise.race([this.#converse(thread, { type: "job", job, stop }, over), stopped.promise]);
      if (ended !== "stopped") {
        this.#threads.giveBack(thread);
        return ended;
      }
    } catch (error) {
      await thread.terminate();
      throw brokenOff(error);
    } finally {
      clearTimeout(timer);
      over.removeEventListener("abort", halt);
    }
    await thread.terminate();
    if (nobody.aborted) return undefined;
    throw new WorkspaceError("too_large", `This took over ${this.#timeLimitMs / 1_000} s and was ended. ${NARROW}`);
  }

  /** Runs ripgrep when the thread asks for it. Rejects when the thread breaks. */
  async #converse(thread: Worker, first: ToThread, over: AbortSignal): Promise<Ended> {
    thread.ref();
    thread.postMessage(first);
    for (;;) {
      const [message]: FromThread[] = await once(thread, "message");
      if (message === undefined) continue;
      if (message.type !== "find") return message;
      const counts = await this.#ripgrep?.(this.#root.dir, message.query, over);
      const said: ToThread = { type: "counts", counts };
      thread.postMessage(said);
    }
  }
}

const NARROW = "Name a smaller directory, a glob, or a simpler pattern.";

const brokenOff = (error: unknown): WorkspaceError => {
  const words = error instanceof Error ? error.message : String(error);
  return new WorkspaceError("unavailable", `The search broke off (${words}). ${NARROW}`, { cause: error });
};
