/** The Messages API behind the model seam: one streamed call, no retry, every failure in the contract's terms. */
import { BaseAnthropic } from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { parseJson } from "../../contract/parse-json.ts";
import { type Credential, credentialHeaders } from "../credential.ts";
import type { Model } from "../model.ts";
import type { ModelEvent } from "../model-event.ts";
import { committedFacts, type ModelFacts } from "../model-facts.ts";
import { brokenStream, errorInStream, toModelFailure } from "./anthropic-failure.ts";
import { betasOf, toCompactionParams, toMessagesParams } from "./anthropic-request.ts";
import { IdleWatch, MAX_SILENCE_MS } from "./idle-watch.ts";
import { modelEventReader, readCompaction } from "./read-model-event.ts";

/**
 * Server-sent events of a response. Yields the events of `body` in order, in batches: all that one read completes, so that there is
 * an await for each read and none for each event. Batches are never empty. `watch` times the reads. An event that the end of the
 * stream cuts off is dropped (HTML standard, "Interpreting an event stream").
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  watch: IdleWatch,
): AsyncGenerator<readonly EventSourceMessage[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let batch: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => batch.push(event) });
  for (;;) {
    const { done, value } = await watch.during(reader.read());
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    if (batch.length === 0) continue;
    yield batch;
    batch = [];
  }
}

/** Settings of one model. `facts` default to the committed ones, `maxSilenceMs` to the contract's 60 s; tests use less. */
type AnthropicSettings = {
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
  const client = clientFor(credential.secret, baseUrl);
  const open = (call: Call, signal: AbortSignal) =>
    eventsOf(client, { ...call, headers: { ...credentialHeaders(credential), ...betaHeader(call.betas) } }, signal);
  return {
    name,
    facts,
    stream: (request, signal) =>
      open({ params: toMessagesParams(request), betas: betasOf(request, false), maxSilenceMs }, signal),
    compact: facts.canCompact
      ? (request, signal) =>
          // A summary is written before its first byte is sent: the signal limits its time, not the silence.
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

/** The newest client: all runs of an isolate have the same credential, and making a client takes as long as reading 200 deltas. */
let last: { readonly secret: string; readonly baseUrl: string; readonly client: BaseAnthropic } | undefined;

const clientFor = (secret: string, baseUrl: string): BaseAnthropic => {
  if (last?.secret !== secret || last.baseUrl !== baseUrl) {
    last = { secret, baseUrl, client: newClient(secret, baseUrl) };
  }
  return last.client;
};

/**
 * The class `Anthropic` would include every other route of the API, half a megabyte. We set every option that the SDK would otherwise
 * read from `process.env`, which in a Worker contains all bindings. The one that remains (`ANTHROPIC_CUSTOM_HEADERS`) cannot affect the
 * credential, which is sent in the request's own headers, and these take precedence.
 */
const newClient = (authToken: string, baseURL: string): BaseAnthropic =>
  new BaseAnthropic({ authToken, baseURL, webhookKey: null, logLevel: "off", openTelemetry: false, maxRetries: 0 });

/** Longest silence while a summary is written, in ms: longer than the harness lets a summary take in all. */
const MAX_SUMMARY_SILENCE_MS = 180_000;

type Call = {
  readonly params: MessageCreateParamsStreaming;
  readonly betas: readonly string[];
  readonly maxSilenceMs: number;
};

const betaHeader = (betas: readonly string[]): Record<string, string> =>
  betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") };

/** Reads one stream. The SDK makes the request and its errors; we read the response's bytes ourselves (decision 0024). */
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
    // An aborted request can fail in many ways, all expected; and what follows a complete message does not matter.
    if (signal.aborted || isComplete) return;
    throw toModelFailure(error, Date.now());
  } finally {
    watch.end();
  }
  if (!signal.aborted && !isComplete) throw brokenStream(new Error("The stream ended before message_stop."));
}

/** Makes the reader for one stream. It returns undefined for pings and for events of a later API. */
const messageReader = (headers: Headers): ((message: EventSourceMessage) => ModelEvent | undefined) => {
  const read = modelEventReader();
  return ({ event, data }) => {
    if (event === "error") throw errorInStream(parseJson(data), headers);
    return event === undefined || event === "ping" || data === "" ? undefined : read(parseJson(data));
  };
};
