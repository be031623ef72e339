/** Lets changes of one file follow each other, in the order in which they came. Different files do not wait. */
import { foldName } from "./fold-name.ts";

/** For all changes through one server or object; other programs know nothing of it. */
export class PathTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does `work` when the changes of that file before it have ended. `path` is a real one. */
  async take<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    // Folded: on some systems two spellings are one file. To wait for another file in vain costs nothing.
    const key = path.split("/").map(foldName).join("/");
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work);
    // How it ended is for its own caller.
    const ended = mine.catch(() => undefined);
    this.#last.set(key, ended);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
