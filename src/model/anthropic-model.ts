/** The Messages API behind the model seam: one streamed call, no retry, every failure in the contract's words. */
import { BaseAnthropic } from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { EventSourceMessage } from "eventsource-parser";
import { brokenStream, errorInStream, toModelFailure } from "./anthropic-failure.ts";
import { betasOf, toCompactionParams, toMessagesParams } from "./anthropic-request.ts";
import { type Credential, credentialHeaders } from "./credential.ts";
import { IdleWatch, MAX_SILENCE_MS } from "./idle-watch.ts";
import type { Model } from "./model.ts";
import type { ModelEvent } from "./model-event.ts";
import { committedFacts, type ModelFacts } from "./model-facts.ts";
import { readCompaction } from "./read-compaction.ts";
import { modelEventReader } from "./read-model-event.ts";
import { serverSentEvents } from "./server-sent-events.ts";

/** A model of the provider. `facts` default to the committed ones, `maxSilenceMs` to the contract's 60 s; tests give less. */
export type AnthropicSettings = {
  readonly name: string;
  readonly facts?: ModelFacts | undefined;
  readonly credential: Credential;
  readonly baseUrl: string;
  readonly maxSilenceMs?: number;
};

/** Makes the model. Nothing is sent before its stream is iterated. */
export const anthropicModel = (settings: AnthropicSettings): Model => {
  const { name, credential, baseUrl, maxSilenceMs = MAX_SILENCE_MS } = settings;
  const facts = settings.facts ?? committedFacts(name);
  // The class `Anthropic` would bring every other route of the API with it, half a megabyte.
  // Each option is given that the SDK would else read from `process.env`, which in a Worker holds all bindings. What is
  // left (`ANTHROPIC_CUSTOM_HEADERS`) cannot touch the credential: that goes out as headers of the request, which win.
  const client = new BaseAnthropic({
    authToken: credential.secret,
    baseURL: baseUrl,
    webhookKey: null,
    logLevel: "off",
    openTelemetry: false,
    maxRetries: 0,
  });
  const open = (call: Call, signal: AbortSignal) =>
    eventsOf(client, { ...call, headers: { ...credentialHeaders(credential), ...betaHeader(call.betas) } }, signal);
  return {
    name,
    facts,
    stream: (request, signal) =>
      open({ params: toMessagesParams(request), betas: betasOf(request, false), maxSilenceMs }, signal),
    compact: facts.canCompact
      ? (request, signal) =>
          // A summary is written before its first byte is sent: the signal ends it, not the silence.
          readCompaction(
            open(
              {
                params: toCompactionParams(request),
                betas: betasOf(request, true),
                maxSilenceMs: MAX_SUMMARY_SILENCE_MS,
              },
              signal,
            ),
          )
      : undefined,
  };
};

/** Longest silence while a summary is written, in ms: more than the time that the harness gives it. */
const MAX_SUMMARY_SILENCE_MS = 180_000;

type Call = {
  readonly params: MessageCreateParamsStreaming;
  readonly betas: readonly string[];
  readonly maxSilenceMs: number;
};

const betaHeader = (betas: readonly string[]): Record<string, string> =>
  betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") };

/** Reads one stream. The SDK makes the request and its errors; the answer's bytes are ours to read (decision 0024). */
async function* eventsOf(
  client: BaseAnthropic,
  { params, headers, maxSilenceMs }: Call & { readonly headers: Record<string, string | null> },
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const watch = new IdleWatch(maxSilenceMs);
  let isComplete = false;
  try {
    const options = { signal: AbortSignal.any([signal, watch.signal]), headers };
    const response = await watch.during(
      client.post("/v1/messages", { ...options, body: params, stream: true }).asResponse(),
    );
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
}

/** Makes the reader of one answer's messages: undefined for pings and for what a later API may say. */
const messageReader = (headers: Headers): ((message: EventSourceMessage) => ModelEvent | undefined) => {
  const read = modelEventReader();
  return ({ event, data }) => {
    if (event === "error") throw errorInStream(JSON.parse(data), headers);
    return event === undefined || event === "ping" || data === "" ? undefined : read(JSON.parse(data));
  };
};
