/** Reads a run's event stream in Node, beside the browser: for waiting on the agent and for answering it. */
import { EventSource } from "eventsource";
import { z } from "zod";

/** An event with the fields all kinds have; the others as they came. */
const RunEvent = z.looseObject({ type: z.string(), seq: z.int() });
export type RunEvent = z.infer<typeof RunEvent>;

/** Below a test's own time-out, so that its message is the one reported, and below the 30 s after which a run is looked after. */
const TIMEOUT_MS = 20_000;

/**
 * Events from the first one on, up to and with the first that `isLast` takes. `signed` are headers that say who asks.
 *
 * @throws {Error} with the kinds that came when that one is not among them after 20 s or at the run's end.
 */
export const watchRun = (
  eventsUrl: string,
  isLast: (event: RunEvent) => boolean,
  signed: Readonly<Record<string, string>> = {},
): Promise<RunEvent[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<RunEvent[]>();
  const events: RunEvent[] = [];
  const source = new EventSource(eventsUrl, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...signed } }),
  });
  const fail = (why: string) =>
    reject(new Error(`${why}; the run had ${events.map(({ type }) => type).join(", ") || "no event"}.`));
  const timer = setTimeout(() => fail(`Not there after ${TIMEOUT_MS} ms`), TIMEOUT_MS);
  source.addEventListener("message", ({ data }) => {
    const event = RunEvent.parse(JSON.parse(data));
    events.push(event);
    // A copy: one chunk may hold more events than the promise's reader is to see.
    if (isLast(event)) resolve([...events]);
    else if (event.type === "run_end") fail("The run ended before");
  });
  return promise.finally(() => {
    clearTimeout(timer);
    source.close();
  });
};
