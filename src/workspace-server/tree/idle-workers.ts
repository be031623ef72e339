/** Keeps tree workers ready for a list or a search. Starting one takes longer than most searches. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Memory of a tree worker in MB, so that a tree made to fill it ends the search and not the server. */
const MAX_WORKER_MB = 512;

/** Lends out tree workers. They are bound to no directory: each job brings its own. */
export class IdleWorkers {
  readonly #idle: Worker[] = [];

  /** Starts a worker, so that the first call does not wait for it. */
  warm(): void {
    this.giveBack(this.#start());
  }

  /** A worker; the caller gives it back or terminates it. */
  take(): Worker {
    return this.#idle.pop() ?? this.#start();
  }

  /** Takes back a worker that has nothing left to do. It does not keep the process alive. */
  giveBack(worker: Worker): void {
    worker.unref();
    this.#idle.push(worker);
  }

  /** Terminates the idle ones. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = new Worker(join(import.meta.dirname, "tree-worker.ts"), {
      // It needs none of this process's secrets, nor its arguments.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MB },
    });
    // A worker that breaks while it is idle is not used again.
    worker.on("error", () => {
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return worker;
  }
}
