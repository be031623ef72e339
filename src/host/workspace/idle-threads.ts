/** Threads that wait for a list or a search. Starting one takes longer than most searches. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Memory of a thread in MB, so that a tree made to fill it ends the search and not the server. */
const MAX_THREAD_MB = 512;

/** Lends out threads. They know no directory: each job brings its own. */
export class IdleThreads {
  readonly #idle: Worker[] = [];

  /** Starts a thread, so that the first call does not wait for it. */
  warm(): void {
    this.giveBack(this.#start());
  }

  /** A thread; whoever has it gives it back or terminates it. */
  take(): Worker {
    return this.#idle.pop() ?? this.#start();
  }

  /** Takes back one that has nothing left to do. It does not keep the process alive. */
  giveBack(thread: Worker): void {
    thread.unref();
    this.#idle.push(thread);
  }

  /** Ends those that wait. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }

  #start(): Worker {
    const thread = new Worker(join(import.meta.dirname, "tree-thread.ts"), {
      // None of this process's secrets is needed there, nor what its own start was given.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB },
    });
    // One that breaks while it waits for work is not used again.
    thread.on("error", () => {
      const place = this.#idle.indexOf(thread);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return thread;
  }
}
