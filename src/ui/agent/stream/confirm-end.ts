/** Shows the server that the end of a run has been read. */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** The end of a run that took longer is told to the person's devices, in ms (api.md §9). */
const LONG_RUN_MS = 30_000;

/**
 * Asks for what comes after the end of a long run, which is nothing: the server then notifies nobody of it. That the stream took the
 * end does not show it: a machine that has just gone to sleep keeps its connection. Resolves in any case.
 */
export const confirmEnd = async (
  { fetch }: Pick<StreamEnvironment, "fetch">,
  eventsPath: string,
  events: readonly NumberedEvent[],
): Promise<void> => {
  const end = events.find(({ type }) => type === "run_end");
  if (end?.type !== "run_end" || end.durationMs <= LONG_RUN_MS) return;
  const headers = { Accept: "text/event-stream" };
  // Lost, it costs a notice too many.
  await fetch(`${eventsPath}?after=${end.seq}`, { headers, signal: new AbortController().signal }).catch(() => {});
};
