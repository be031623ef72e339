/** Shows the server that the end of a run has been read. */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** When a run that took longer than this, in ms, ends, the person's devices are notified (api.md §9). */
const LONG_RUN_MS = 30_000;

/**
 * Requests the events after the end of a long run. There are none, but the server sees that the end was read, and notifies nobody of it.
 * A stream that took the end does not show that: a machine that has just gone to sleep keeps its connection. Resolves in any case.
 */
export const confirmEnd = async (
  { fetch }: Pick<StreamEnvironment, "fetch">,
  eventsPath: string,
  events: readonly NumberedEvent[],
): Promise<void> => {
  const end = events.find(({ type }) => type === "run_end");
  if (end?.type !== "run_end" || end.durationMs <= LONG_RUN_MS) return;
  const headers = { Accept: "text/event-stream" };
  // If the request is lost, the person gets a needless notice, and nothing worse happens.
  await fetch(`${eventsPath}?after=${end.seq}`, { headers, signal: new AbortController().signal }).catch(() => {});
};
