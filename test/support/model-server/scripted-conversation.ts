/** What the server keeps for one script key: replies still to give, requests received, holds and who waits for them. */
import type { RecordedRequest, Reply, RequestState } from "./reply.ts";

/** Everything under one key. Each change wakes those who wait for one. */
export class ScriptedConversation {
  readonly replies: Reply[] = [];
  readonly requests: RecordedRequest[] = [];
  /** What the real API would have refused, and requests beyond the script's end. */
  readonly violations: string[] = [];
  #releases = 0;
  readonly #wakeUps = new Set<() => void>();

  /** Lets one hold go on: the one that waits, or the next one. */
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
