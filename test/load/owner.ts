/** One owner's client: asks again when a connection breaks, with a key where asking twice would do twice. */
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { TurnStartResponse } from "../../src/contract/turn.ts";
import type { Incidents } from "./incidents.ts";
import { type LoadPrompt, writePrompt } from "./load-prompt.ts";

/** Pause before the same is asked again, in ms, and how often. */
const PAUSE_MS = 100;
const MAX_TRIES = 50;

/** How long one request may take before it counts as lost, in ms: far over all that this load makes it wait. */
const REQUEST_TIMEOUT_MS = 60_000;

/** An answer of the product. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** A person who has signed in. `headers` identify them. */
export class Owner {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly incidents: Incidents;

  constructor(url: string, headers: Readonly<Record<string, string>>, incidents: Incidents) {
    this.url = url;
    this.headers = headers;
    this.incidents = incidents;
  }

  /** Repeats the request until it is answered; a status above 500 from the product is a problem. The request must be idempotent. */
  async ask(method: string, path: string, body?: unknown, extra: Record<string, string> = {}): Promise<Answer> {
    const headers = {
      ...this.headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...extra,
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    let last = "";
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        const response = await fetch(this.url + path, { method, headers, signal, ...sent });
        const text = await response.text();
        last = `${response.status} ${text.slice(0, 200)}`;
        // Only the product's own answers are JSON; the proxy before it says in plain text that it lost a connection.
        if (text.startsWith("{")) {
          this.incidents.require(response.status < 500, `${method} ${path}: ${last}`);
          return { status: response.status, headers: response.headers, body: JSON.parse(text) };
        }
      } catch (error) {
        last = String(error);
      }
      this.incidents.reconnects += 1;
      await delay(PAUSE_MS);
    }
    throw new Error(`${method} ${path} was not answered: ${last}`);
  }

  /** Requests what must be there. @throws {Error} when the status is not 200. */
  async read<Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown): Promise<z.infer<Schema>> {
    const answer = await this.ask(body === undefined ? "GET" : "POST", path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return schema.parse(answer.body);
  }

  /** Runs an action. @throws {Error} when it is refused. */
  act<Schema extends z.ZodType>(schema: Schema, action: string, input: unknown): Promise<z.infer<Schema>> {
    return this.read(schema, `/_framework/actions/${action}`, input);
  }

  /** Posts a turn once, under a key of its own; a 429 counts as an answer. */
  postTurn(threadId: string, prompt: z.input<typeof LoadPrompt>): Promise<Answer> {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    return this.ask("POST", "/api/agent/turn", { threadId, prompt: writePrompt(prompt) }, key);
  }

  /** Posts a turn that must be accepted; returns its run's id. @throws {Error} when it is refused. */
  async startTurn(threadId: string, prompt: z.input<typeof LoadPrompt>): Promise<string> {
    const { status, body } = await this.postTurn(threadId, prompt);
    if (status !== 200) throw new Error(`A turn was refused: ${status} ${JSON.stringify(body)}`);
    return TurnStartResponse.parse(body).runId;
  }
}
