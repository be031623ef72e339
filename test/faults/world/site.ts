/** The product as a patient client sees it: one that asks again until it is answered, through every restart. */
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { TurnStartResponse } from "../../../src/contract/turn.ts";

/** Pause before the same is asked again, in ms. */
const PAUSE_MS = 100;

/** How long one request may take before it counts as lost, in ms. */
const REQUEST_TIMEOUT_MS = 20_000;

/** An answer; `body` is null where there is none. */
export type SiteAnswer = { readonly status: number; readonly body: unknown };

/** A client of one address, which stays the same through restarts. `signal` ends its patience. */
export class Site {
  readonly url: string;
  readonly #signal: AbortSignal;
  /** The product's own answers of 500, which no death excuses; those of wrangler's proxy in front of it are not JSON. */
  readonly broken: string[] = [];

  constructor(url: string, signal: AbortSignal) {
    this.url = url;
    this.#signal = signal;
  }

  /** The same client with other patience. */
  until(signal: AbortSignal): Site {
    return new Site(this.url, signal);
  }

  /** Asks once. @throws when the connection fails. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<SiteAnswer> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(this.url + path, { method, signal, headers: { ...typed, ...headers }, ...sent });
    const text = await response.text();
    if (response.status === 500 && text.startsWith("{"))
      this.broken.push(`${method} ${path} answered 500: ${text.slice(0, 300)}`);
    return { status: response.status, body: text === "" ? null : parsed(text) };
  }

  /** Repeats the request until there is a status below 500. The request must be idempotent. */
  async surely(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<SiteAnswer> {
    let last = "nothing yet";
    while (!this.#signal.aborted) {
      try {
        const answer = await this.ask(method, path, body, headers);
        if (answer.status < 500) return answer;
        last = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 200)}`;
      } catch (error) {
        // It is down, or going down: the same is asked of the next one.
        last = String(error);
      }
      await delay(PAUSE_MS);
    }
    throw new Error(`${method} ${path} was not answered in time; last: ${last}`);
  }

  /** Starts a turn once, under a key of its own. @throws {Error} when it is refused. */
  async startTurn(threadId: string, prompt: string): Promise<TurnStartResponse> {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const { status, body } = await this.surely("POST", "/api/agent/turn", { threadId, prompt }, key);
    if (status !== 200) throw new Error(`The turn was refused: ${status} ${JSON.stringify(body)}`);
    return TurnStartResponse.parse(body);
  }

  /** Reads what must be there. @throws {Error} when the status is not 200 or the body has another shape. */
  async read<Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown): Promise<z.infer<Schema>> {
    const answer = await this.surely(body === undefined ? "GET" : "POST", path, body);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return schema.parse(answer.body);
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Only JSON is ours; a proxy's page is told as it is.
    return text;
  }
};
