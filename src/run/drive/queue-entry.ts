/** The way into the thread's queue: a run asks its session for a place. */
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";
import type { Env } from "../../env.ts";
import type { QueuePlace } from "../../session/run-queue.ts";
import type { FoundScreen } from "../run-rpc.ts";
import { queueSessionOf, type RunSpec } from "../run-spec.ts";
import { tellMessages } from "../steer-run.ts";
import type { Ledger } from "../store/ledger.ts";
import { userMessageEvent } from "../store/run-events.ts";

/** How long the session may take to answer, in ms: the response to the turn's POST waits for it. */
const ASK_LIMIT_MS = 10_000;

type Begin = (grant: number, isFirst: boolean, screen: FoundScreen) => void;

/**
 * Asks the session for the run's place in its queue, and records in the transcript when the run has to wait. A run that has its place gets
 * the same one, so asking again is always correct while the run is `queued`.
 */
export class QueueEntry {
  readonly #env: Env;
  readonly #ledger: Ledger;
  readonly #begin: Begin;
  #hasAsked = false;

  /** `begin` starts the run's loop under its grant. */
  constructor(env: Env, ledger: Ledger, begin: Begin) {
    this.#env = env;
    this.#ledger = ledger;
    this.#begin = begin;
  }

  /** Whether this instance has asked. If it has not, an earlier one may have died before it did. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Gets a place for a stored run. */
  async join(spec: RunSpec): Promise<void> {
    this.take(spec, await this.ask(spec));
  }

  /** Asks the session. Undefined when it does not answer: the run's alarm asks again. */
  async ask(spec: RunSpec): Promise<QueuePlace | undefined> {
    this.#hasAsked = true;
    const { runId, previousWorkspaceDir } = spec;
    try {
      return await within(
        ASK_LIMIT_MS,
        async () => await this.#env.SESSIONS.getByName(queueSessionOf(spec)).enqueue(runId, previousWorkspaceDir),
      );
    } catch (error) {
      this.#hasAsked = false;
      log.warn("No place in the queue yet.", { runId, error });
      return undefined;
    }
  }

  /** Applies the session's answer: starts the run when nobody is ahead, otherwise records that the run waits. */
  take(spec: RunSpec, place: QueuePlace | undefined, screen?: FoundScreen): void {
    // The run may have been stopped, deleted or granted while the session was asked.
    if (place === undefined || this.#ledger.runs.find()?.state.status !== "queued") return;
    if (place.grant !== undefined) this.#begin(place.grant, place.isFirst === true, screen);
    else if (this.#ledger.transcript.lastSeq === 0) this.#sayThatItWaits(spec, place.ahead);
  }

  #sayThatItWaits(spec: RunSpec, position: number): void {
    const { runId, threadId } = spec;
    this.#ledger.commit(() => [
      { type: "run_queued", runId, threadId, position },
      userMessageEvent(spec, crypto.randomUUID()),
      ...tellMessages(this.#ledger),
    ]);
  }
}
