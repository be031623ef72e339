/**
 * An object's single alarm. Within an instance it is only brought forward: one firing too many is cheaper than a row for
 * each move. A new instance does not know what it is set for and sets it anew.
 */
import { guardAlarm } from "../contract/guard-alarm.ts";

/** Knows what the alarm is set for, as far as this instance has seen. */
export class AlarmClock {
  readonly #storage: DurableObjectStorage;
  #atMs: number | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Sets the alarm unless it already rings sooner. `undefined`: nothing is due. */
  ringBy(atMs: number | undefined): void {
    if (atMs !== undefined) void this.#bringForward(atMs);
  }

  /** Sets the alarm if none is set, also none that only an earlier instance knew of. */
  async ringUnlessSet(atMs: number): Promise<void> {
    if (this.#atMs === undefined && (await this.#storage.getAlarm()) === null) this.ringBy(atMs);
  }

  /** The alarm has rung: does its work, and lets it ring again in a minute when that throws. */
  async ring(object: "run" | "session", work: () => Promise<void>): Promise<void> {
    this.clear();
    await guardAlarm(object, work, (atMs) => this.#bringForward(atMs));
  }

  /** Says that the alarm was deleted. */
  clear(): void {
    this.#atMs = undefined;
  }

  async #bringForward(atMs: number): Promise<void> {
    if (this.#atMs !== undefined && this.#atMs <= atMs) return;
    this.#atMs = atMs;
    await this.#storage.setAlarm(atMs);
  }
}
