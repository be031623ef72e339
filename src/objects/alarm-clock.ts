/**
 * An object's single alarm. Within an instance it is only ever set to an earlier time: one firing too many is cheaper than a row for
 * each move. A new instance does not know what the alarm is set to, and sets it again.
 */
import { log } from "../contract/log.ts";

/** How soon an alarm whose work threw rings again, in ms: soon enough for people, rarely enough for a bug that affects every object. */
const RETRY_MS = 60_000;

/**
 * Does an alarm's work. If it throws, the error is logged and the alarm is set again with `setAlarm`, so that it survives a release
 * with a bug: the runtime retries an alarm that threw six times, within some two minutes, and then drops it
 * (https://developers.cloudflare.com/durable-objects/api/alarms/), and whatever the object still had to do would wait until somebody
 * called it. `object` names the kind.
 */
export const guardAlarm = async (
  object: "run" | "session" | "workspace" | "quotes" | "search",
  work: () => Promise<void>,
  setAlarm: (atMs: number) => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    log.error("An alarm failed.", { object, error });
    // If even that fails, the instance is lost: throwing makes the runtime retry the alarm in another one.
    await setAlarm(Date.now() + RETRY_MS);
  }
};

/** Knows what the alarm is set to, as far as this instance has seen. */
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

  /** Sets the alarm if none is set, not even by an earlier instance. */
  async ringUnlessSet(atMs: number): Promise<void> {
    if (this.#atMs === undefined && (await this.#storage.getAlarm()) === null) this.ringBy(atMs);
  }

  /** The alarm has rung: does its work; if that throws, the alarm rings again in a minute. */
  async ring(object: "run" | "session" | "quotes", work: () => Promise<void>): Promise<void> {
    this.clear();
    await guardAlarm(object, work, (atMs) => this.#bringForward(atMs));
  }

  /** Called when the alarm was deleted. */
  clear(): void {
    this.#atMs = undefined;
  }

  async #bringForward(atMs: number): Promise<void> {
    if (this.#atMs !== undefined && this.#atMs <= atMs) return;
    this.#atMs = atMs;
    await this.#storage.setAlarm(atMs);
  }
}
