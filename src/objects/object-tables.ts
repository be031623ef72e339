/**
 * Which tables an object has. They are looked up together and remembered: while an instance lives nobody else creates any, and a
 * statement that a new object runs once costs more to compile than to execute.
 */

/** Tables that are created together, and their statements. */
export type Tables = { readonly names: readonly string[]; readonly schema: string };

/** The tables of one object's SQLite, by name. */
export class ObjectTables {
  readonly sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  #names: Set<string> | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sql = storage.sql;
  }

  has(name: string): boolean {
    this.#names ??= new Set([...this.sql.exec<{ name: string }>(NAMES)].map((row) => row.name));
    return this.#names.has(name);
  }

  /** Creates the tables if one of them is missing. In the caller's transaction. */
  make({ names, schema }: Tables): void {
    if (names.every((name) => this.has(name))) return;
    this.sql.exec(schema);
    for (const name of names) this.#names?.add(name);
  }

  /** Creates the first tables of an object that has none, which needs no look-up. In the caller's transaction. */
  makeFirst({ names, schema }: Tables): void {
    this.sql.exec(schema);
    this.#names = new Set(names);
  }

  /** One transaction. Whatever `change` throws is rethrown, and the tables it created are gone again. */
  write<Result>(change: () => Result): Result {
    try {
      return this.#storage.transactionSync(change);
    } catch (error) {
      this.reset();
      throw error;
    }
  }

  /** Forgets what is remembered, after tables were changed in another way. */
  reset(): void {
    this.#names = undefined;
  }
}

const NAMES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')";
