/** What the server keeps for one script key: replies still to give, requests received, holds and who waits for them. */
import type { RecordedRequest, Reply, RequestState, Transformation } from "./reply.ts";
import type { Block, MessagesRequest } from "./rules/request-shape.ts";
import type { RuleName } from "./rules/rule.ts";

/** Everything under one key. Each change wakes those who wait for one. */
export class ScriptedConversation {
  readonly key: string;
  /** To the calls of turns. */
  readonly replies: Reply[] = [];
  /** To requests for a summary. */
  readonly summaries: Reply[] = [];
  /** To requests for a title. */
  readonly titles: Reply[] = [];
  readonly requests: RecordedRequest[] = [];
  /** What the real API would have refused, and requests beyond the script's end. */
  readonly violations: string[] = [];
  /** The finished blocks of each answer, as they were sent; one that still streams grows. */
  readonly answers: (readonly Block[])[] = [];
  /** Of each request that was let through: which of its thinking was dropped, or let through all the same. */
  readonly transformations: (readonly Transformation[])[] = [];
  /** Bodies of the requests that were answered with a message. */
  readonly answered: unknown[] = [];
  /** Rules that do not hold for this script. */
  rulesOff: ReadonlySet<RuleName> = new Set();
  /** The last request of a turn that was admitted, as the rules read it. */
  lastTurnCall: MessagesRequest | undefined;
  #releases = 0;
  readonly #wakeUps = new Set<() => void>();

  constructor(key: string) {
    this.key = key;
  }

  /** Queues replies, each where it belongs. */
  script(replies: readonly Reply[]): void {
    for (const reply of replies) this.repliesTo(reply.answers).push(reply);
  }

  /** What is still to be answered to calls of turns, or to requests of the kind. */
  repliesTo(asked: Reply["answers"]): Reply[] {
    return asked === "compaction" ? this.summaries : asked === "title" ? this.titles : this.replies;
  }

  /** Releases one hold: the one that waits, or else the next one. */
  release(): void {
    this.#releases += 1;
    this.#wakeAll();
  }

  /** Files a request; `move` follows it. */
  record(headers: Record<string, string>, body: Record<string, unknown>): RecordedRequest {
    const request: RecordedRequest = { headers, body, state: "answering" };
    this.requests.push(request);
    this.#wakeAll();
    return request;
  }

  /** Moves a request on. One that is answered, or whose client has left, stays so. */
  move(request: RecordedRequest, state: RequestState): void {
    if (request.state === "client_left" || request.state === "answered") return;
    request.state = state;
    this.#wakeAll();
  }

  /** Waits for a `release`; one release serves one hold. False when `signal` aborts first. */
  hold(signal: AbortSignal): Promise<boolean> {
    return this.until(() => {
      if (this.#releases === 0) return false;
      this.#releases -= 1;
      return true;
    }, signal);
  }

  /** Waits until `isTrue`, asked again after each change; false when `signal` aborts first. */
  async until(isTrue: () => boolean, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const look = () => {
      if (signal.aborted) resolve(false);
      else if (isTrue()) resolve(true);
      else return;
      this.#wakeUps.delete(look);
      signal.removeEventListener("abort", look);
    };
    this.#wakeUps.add(look);
    signal.addEventListener("abort", look);
    look();
    return promise;
  }

  #wakeAll(): void {
    for (const look of this.#wakeUps) look();
  }
}
