/** The Messages API behind the model seam: one streamed call, no retry, every failure in the contract's words. */
import Anthropic from "@anthropic-ai/sdk";
import { brokenStream, toModelFailure } from "./anthropic-failure.ts";
import { toMessagesParams } from "./anthropic-request.ts";
import { type Credential, credentialHeaders } from "./credential.ts";
import { fetchWithin, MAX_SILENCE_MS } from "./idle-watch.ts";
import type { Model, StreamModel } from "./model.ts";
import { modelEventReader } from "./read-model-event.ts";

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
    fetch: fetchWithin(maxSilenceMs ?? MAX_SILENCE_MS),
  });
  return { name, stream: streamFrom(client, credentialHeaders(credential)) };
};

const streamFrom = (client: Anthropic, headers: Record<string, string | null>): StreamModel =>
  async function* (request, signal) {
    const params = toMessagesParams(request);
    const read = modelEventReader();
    let isComplete = false;
    try {
      for await (const raw of await client.messages.create(params, { signal, headers })) {
        const event = read(raw);
        if (signal.aborted) return;
        if (event === undefined) continue;
        if (event.type === "message_stop") isComplete = true;
        yield event;
      }
    } catch (error) {
      // An aborted request fails in many ways, all of them asked for; and what follows a whole message is of no account.
      if (signal.aborted || isComplete) return;
      throw toModelFailure(error, Date.now());
    }
    if (!signal.aborted && !isComplete) throw brokenStream(new Error("The stream ended before message_stop."));
  };
