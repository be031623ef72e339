/** The Messages API behind the model seam: one streamed call, no retry, every failure in the contract's words. */
import Anthropic from "@anthropic-ai/sdk";
import type { EventSourceMessage } from "eventsource-parser";
import { brokenStream, errorInStream, toModelFailure } from "./anthropic-failure.ts";
import { toMessagesParams } from "./anthropic-request.ts";
import { type Credential, credentialHeaders } from "./credential.ts";
import { IdleWatch, MAX_SILENCE_MS } from "./idle-watch.ts";
import type { Model, StreamModel } from "./model.ts";
import type { ModelEvent } from "./model-event.ts";
import { modelEventReader } from "./read-model-event.ts";
import { serverSentEvents } from "./server-sent-events.ts";

/** A model of the provider. `maxSilenceMs` defaults to the contract's 60 s; tests give less. */
export type AnthropicSettings = {
  readonly name: string;
  readonly credential: Credential;
  readonly baseUrl: string;
  readonly maxSilenceMs?: number;
};

/** Makes the model. Nothing is sent before its stream is iterated. */
export const anthropicModel = ({ name, credential, baseUrl, maxSilenceMs }: AnthropicSettings): Model => {
  // Each option is given that the SDK would else read from `process.env`, which in a Worker holds all bindings. What is
  // left (`ANTHROPIC_CUSTOM_HEADERS`) cannot touch the credential: that goes out as headers of the request, which win.
  const client = new Anthropic({
    authToken: credential.secret,
    baseURL: baseUrl,
    webhookKey: null,
    logLevel: "off",
    openTelemetry: false,
    maxRetries: 0,
  });
  return { name, stream: streamFrom(client, credentialHeaders(credential), maxSilenceMs ?? MAX_SILENCE_MS) };
};

/** Reads one stream. The SDK makes the request and its errors; the answer's bytes are ours to read (decision 0024). */
const streamFrom = (client: Anthropic, headers: Record<string, string | null>, maxSilenceMs: number): StreamModel =>
  async function* (request, signal) {
    const watch = new IdleWatch(maxSilenceMs);
    let isComplete = false;
    try {
      const options = { signal: AbortSignal.any([signal, watch.signal]), headers };
      const response = await watch.during(client.messages.create(toMessagesParams(request), options).asResponse());
      if (response.body === null) throw brokenStream(new Error("The answer has no body."));
      const read = messageReader(response.headers);
      for await (const batch of serverSentEvents(response.body, watch)) {
        for (const message of batch) {
          const event = read(message);
          if (signal.aborted) return;
          if (event === undefined) continue;
          if (event.type === "message_stop") isComplete = true;
          yield event;
        }
      }
    } catch (error) {
      // An aborted request fails in many ways, all of them asked for; and what follows a whole message is of no account.
      if (signal.aborted || isComplete) return;
      throw toModelFailure(error, Date.now());
    } finally {
      watch.end();
    }
    if (!signal.aborted && !isComplete) throw brokenStream(new Error("The stream ended before message_stop."));
  };

/** Makes the reader of one answer's messages: undefined for pings and for what a later API may say. */
const messageReader = (headers: Headers): ((message: EventSourceMessage) => ModelEvent | undefined) => {
  const read = modelEventReader();
  return ({ event, data }) => {
    if (event === "error") throw errorInStream(JSON.parse(data), headers);
    return event === undefined || event === "ping" || data === "" ? undefined : read(JSON.parse(data));
  };
};
