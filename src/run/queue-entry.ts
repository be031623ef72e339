/** A run's way into its session's queue. That it has no place yet follows from its state, so asking again is always right. */
import { within } from "../contract/within.ts";
import type { Env } from "../env.ts";
import type { QueuePlace } from "../session/run-queue.ts";
import type { Ledger } from "./ledger.ts";
import { userMessageEvent } from "./run-events.ts";
import type { RunSpec } from "./run-spec.ts";

/** Longest the session may take to answer, in ms: the answer to the turn's POST waits for it. */
const ASK_LIMIT_MS = 10_000;

/** Asks for the place, and says so in the transcript when the run has to wait. */
export class QueueEntry {
  readonly #env: Env;
  readonly #ledger: Ledger;
  readonly #begin: (grant: number) => void;
  #hasAsked = false;

  /** `begin` starts the run's loop under its grant. */
  constructor(env: Env, ledger: Ledger, begin: (grant: number) => void) {
    this.#env = env;
    this.#ledger = ledger;
    this.#begin = begin;
  }

  /** Whether this instance has asked; if not, an earlier one may have died before it did. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Takes the place of a stored run. */
  async join(spec: RunSpec): Promise<void> {
    this.take(spec, await this.ask(spec));
  }

  /** Asks the session. Undefined when it does not answer: the run's alarm asks again. */
  async ask({ sessionId, runId }: RunSpec): Promise<QueuePlace | undefined> {
    this.#hasAsked = true;
    try {
      return await within(ASK_LIMIT_MS, async () => await this.#env.SESSIONS.getByName(sessionId).enqueue(runId));
    } catch (error) {
      this.#hasAsked = false;
      console.warn(
        JSON.stringify({ level: "warn", message: "No place in the queue yet.", runId, error: String(error) }),
      );
      return undefined;
    }
  }

  /** Takes the session's answer: begins when nobody is ahead, else says that the run waits. */
  take(spec: RunSpec, place: QueuePlace | undefined): void {
    // The run may have been stopped, deleted or granted while the session was asked.
    if (place === undefined || this.#ledger.runs.find()?.state.status !== "queued") return;
    if (place.grant !== undefined) this.#begin(place.grant);
    else if (this.#ledger.transcript.lastSeq === 0) this.#sayThatItWaits(spec, place.ahead);
  }

  #sayThatItWaits(spec: RunSpec, position: number): void {
    const { runId, threadId } = spec;
    this.#ledger.commit(() => [
      { type: "run_queued", runId, threadId, position },
      userMessageEvent(spec, crypto.randomUUID()),
    ]);
  }
}
