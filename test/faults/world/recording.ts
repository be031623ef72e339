/** A client that follows one run, records each frame as it came, and comes back with `Last-Event-ID` when it is cut off. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { TranscriptEvent } from "../../../src/contract/transcript.ts";

/** Pause before it comes back, in ms. */
const PAUSE_MS = 50;

/** A stream that says nothing for this long is dropped: the service sends a comment every 10 s. */
const MAX_SILENCE_MS = 25_000;

/** An event with its number and time. */
export type Received = TranscriptEvent & { readonly seq: number; readonly at: string };

const Numbered = z.object({ seq: z.int(), at: z.iso.datetime() });

/** What one client saw of one run. */
export class Recording {
  /** Frames as bytes came, without the empty line behind them; the nth is seq n. */
  readonly frames: string[] = [];
  readonly events: Received[] = [];
  /** What no client may ever see. */
  readonly problems: string[] = [];
  /** The run was deleted under it. */
  isGone = false;

  get isEnded(): boolean {
    return this.events.at(-1)?.type === "run_end";
  }

  /** Takes a frame; what came before, or out of turn, is a problem. */
  take(frame: string): Received | undefined {
    const [, id, data] = /^id: (\d+)\ndata: ([^\n\r]*)$/.exec(frame) ?? [];
    if (id === undefined || data === undefined) {
      this.problems.push(`not a frame: ${frame.slice(0, 200)}`);
      return undefined;
    }
    if (Number(id) !== this.frames.length + 1) this.problems.push(`seq ${id} came after ${this.frames.length}`);
    const raw: unknown = JSON.parse(data);
    const event = TranscriptEvent.safeParse(raw);
    const numbered = Numbered.safeParse(raw);
    if (!event.success || !numbered.success || numbered.data.seq !== Number(id)) {
      this.problems.push(`against the contract: ${frame.slice(0, 300)}`);
      return undefined;
    }
    const received = { ...event.data, ...numbered.data };
    this.frames.push(frame);
    this.events.push(received);
    return received;
  }
}

/** Frames of a text that holds whole ones; comments and `retry:` are left out. */
export const framesOf = (text: string): string[] => text.split("\n\n").filter((frame) => /^(id|data):/.test(frame));

/** Follows until `run_end`, until the run is gone, or until `signal` aborts. `onEvent` sees each event once. */
export const follow = async (
  url: string,
  recording: Recording,
  signal: AbortSignal,
  onEvent: (event: Received) => void,
): Promise<void> => {
  while (!signal.aborted && !recording.isEnded && !recording.isGone) {
    try {
      await followOnce(url, recording, signal, onEvent);
    } catch {
      // The connection was refused or broke: it comes back where it was.
    }
    if (!recording.isEnded && !recording.isGone) await delay(PAUSE_MS);
  }
};

const followOnce = async (
  url: string,
  recording: Recording,
  signal: AbortSignal,
  onEvent: (event: Received) => void,
): Promise<void> => {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
  try {
    const headers = recording.frames.length === 0 ? {} : { "last-event-id": String(recording.frames.length) };
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, silence.signal]) });
    if (response.status === 404) recording.isGone = true;
    else if (response.status === 204) recording.problems.push("204 though run_end was not seen");
    if (response.status !== 200 || response.body === null) return void (await response.body?.cancel());
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
      rest += decoder.decode(chunk, { stream: true });
      const end = rest.lastIndexOf("\n\n") + 2;
      if (end < 2) continue;
      for (const frame of framesOf(rest.slice(0, end))) {
        const event = recording.take(frame);
        if (event !== undefined) onEvent(event);
      }
      rest = rest.slice(end);
    }
  } finally {
    clearTimeout(timer);
  }
};
