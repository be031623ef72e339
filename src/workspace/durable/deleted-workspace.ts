/** What is left of a workspace whose owner deleted their account: a mark, as long as calls may still be on their way. */
import { WorkspaceError } from "../workspace.ts";

/** Key of the mark; its value is the time until which it is kept, in epoch ms. */
const MARK = "deleted-until-ms";

/** The mark of one object. Read once; while it exists, every statement is refused. */
export class DeletedWorkspace {
  readonly #storage: DurableObjectStorage;
  #untilMs: number | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#untilMs = storage.kv.get<number>(MARK);
  }

  get isLaid(): boolean {
    return this.#untilMs !== undefined;
  }

  /** The object's SQL, which refuses once the workspace is deleted; the library's files use it too. */
  get sql(): SqlStorage {
    const { sql } = this.#storage;
    const exec = (...statement: Parameters<SqlStorage["exec"]>) => {
      if (this.#untilMs !== undefined) throw new WorkspaceError("unavailable", "This workspace was deleted.");
      return sql.exec(...statement);
    };
    // A proxy, because nothing else has the type `SqlStorage`; its own getters need the real one as `this`.
    return new Proxy(sql, { get: (_, name) => (name === "exec" ? exec : Reflect.get(sql, name, sql)) });
  }

  /** Deletes everything and leaves the mark. */
  async lay(untilMs: number): Promise<void> {
    this.#untilMs = untilMs;
    await this.#storage.deleteAll();
    this.#storage.kv.put(MARK, untilMs);
    await this.#storage.setAlarm(untilMs);
  }

  /** Removes the mark when its time is over. It returns true then: what this instance remembers about its tables is no longer valid. */
  async lift(nowMs: number): Promise<boolean> {
    if (this.#untilMs === undefined) return false;
    if (nowMs < this.#untilMs) {
      await this.#storage.setAlarm(this.#untilMs);
      return false;
    }
    // The mark alone is stored, as every write since then was refused. Deleting it would leave an empty database, which is billed too.
    await this.#storage.deleteAll();
    this.#untilMs = undefined;
    return true;
  }
}
