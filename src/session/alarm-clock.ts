/**
 * An object's single alarm. Within an instance it is only brought forward: one firing too many is cheaper than a row for
 * each move. A new instance does not know what it is set for and sets it anew.
 */

/** Knows what the alarm is set for, as far as this instance has seen. */
export class AlarmClock {
  readonly #storage: DurableObjectStorage;
  #atMs: number | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Sets the alarm unless it already rings sooner. `undefined`: nothing is due. */
  ringBy(atMs: number | undefined): void {
    if (atMs === undefined || (this.#atMs !== undefined && this.#atMs <= atMs)) return;
    this.#atMs = atMs;
    void this.#storage.setAlarm(atMs);
  }

  /** Says that the alarm has rung, or was deleted. */
  clear(): void {
    this.#atMs = undefined;
  }
}
