/** Server-sent events of a response, all at once that a read completes: an await for each read, none for each event. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { IdleWatch } from "./idle-watch.ts";

/**
 * Yields the events of `body` in order, in batches that are never empty; `watch` times the reads. An event that the end
 * of the stream cuts is left out (HTML standard, "Interpreting an event stream").
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
