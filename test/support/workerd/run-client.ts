/** A client of the turn and run routes, as tests inside workerd use it: what it reads is what any client reads. */
import { env, runDurableObjectAlarm } from "cloudflare:test";
import { z } from "zod";
import { RunView } from "../../../src/contract/run.ts";
import { TranscriptEvent } from "../../../src/contract/transcript.ts";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { fetchAs } from "./fetch-as.ts";
import { handedOver } from "./handed-over.ts";

const ORIGIN = "http://localhost";

/** An event as it came over the wire, with its kind checked against the contract. */
export type ReceivedEvent = TranscriptEvent & { readonly seq: number; readonly at: string };

const Numbered = z.object({ seq: z.int(), at: z.string() });

const Fields = z.record(z.string(), z.unknown());

/** Most times a client comes back. Each time something has died, so a working service needs few. */
const MAX_RECONNECTS = 50;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** A client signed in as `email`. */
export const runClient = (email: string) => {
  const request = (path: string, init: RequestInit = {}) =>
    fetchAs(email, path, { ...init, headers: { "content-type": "application/json", ...init.headers } }, ORIGIN);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(path, { method: "POST", body: JSON.stringify(body), headers });
  const json = async (response: Response) => {
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return await response.json();
  };
  const startTurn = async (threadId: string, prompt: string, headers: Record<string, string> = {}) =>
    TurnStartResponse.parse(await json(await post("/api/agent/turn", { threadId, prompt }, headers)));
  const events = async (path: string, init: RequestInit = {}) => parseFrames(await (await request(path, init)).text());
  return {
    request,
    post,
    startTurn,
    /** All events of a run, to its end. */
    events,
    /** Events up to the first of a kind; then the connection is dropped. */
    eventsUntil: (path: string, type: TranscriptEvent["type"]) => eventsUntil(request, path, type),
    /** All events of a run, read by a client that comes back with `Last-Event-ID` whenever it is cut off. */
    follow: (path: string) => follow(request, path),
    /** Runs a run's alarm at once, if one is set, instead of some seconds later. */
    wake: async (runId: string) => {
      await runDurableObjectAlarm(env.RUNS.getByName(runId));
    },
    /** Like `follow`, with a callback for each event as it arrives. */
    followWith: (path: string, onEvent: (event: ReceivedEvent) => Promise<void>) => follow(request, path, onEvent),
    /** Allows what a run asks for, if the event is a request. */
    allow: (runId: string, event: ReceivedEvent) => allowing(post, runId)(event),
    /** Starts a turn under an idempotency key, again and again until it is answered. */
    startSurely: async (threadId: string, prompt: string) => {
      const key = crypto.randomUUID();
      for (let tries = 0; tries < MAX_RECONNECTS; tries += 1) {
        const answer = await post("/api/agent/turn", { threadId, prompt }, { "Idempotency-Key": key });
        if (answer.ok) return TurnStartResponse.parse(await answer.json());
      }
      throw new Error("The turn never started.");
    },
    /** As `follow`, allowing whatever the run asks for. */
    followAllowing: (runId: string) => follow(request, `/_framework/runs/${runId}/events`, allowing(post, runId)),
    /** Starts a turn and reads it to its end; returns when its session has it. */
    runToEnd: async (threadId: string, prompt: string) => {
      const all = await events((await startTurn(threadId, prompt)).events);
      await handedOver(all);
      return all;
    },
    view: async (runId: string) => RunView.parse(await json(await request(`/_framework/runs/${runId}`))),
    action: async (name: string, input: unknown) => await json(await post(`/_framework/actions/${name}`, input)),
  };
};

/** Events up to the first of a kind, read by a client that asks again when the object dies under its stream; then the connection is dropped. */
export const eventsUntil = async (
  request: Send,
  path: string,
  type: TranscriptEvent["type"],
): Promise<ReceivedEvent[]> => {
  for (let tries = 1; ; tries += 1) {
    const controller = new AbortController();
    const stream = await openStream(request, path, type, controller.signal).catch((error: unknown) => {
      if (tries === MAX_RECONNECTS) throw error;
    });
    if (stream === undefined) continue;
    await stream.cancel();
    controller.abort();
    const events = parseFrames(stream.text);
    const at = events.findIndex((event) => event.type === type);
    // Whoever comes late gets what followed in the same piece.
    return at === -1 ? events : events.slice(0, at + 1);
  }
};

/** A stream that has been read up to the first event of a kind: its text so far, and what reads the rest to its end. */
export const openStream = async (
  request: (path: string, init?: RequestInit) => Promise<Response>,
  path: string,
  type: TranscriptEvent["type"],
  signal?: AbortSignal,
) => {
  const { body } = await request(path, signal === undefined ? {} : { signal });
  if (body === null) throw new Error(`${path} answers without a stream.`);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const readWhile = async (goesOn: (text: string) => boolean) => {
    let text = "";
    while (goesOn(text)) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  };
  const text = await readWhile((soFar) => !(soFar.includes(`"type":"${type}"`) && soFar.endsWith("\n\n")));
  return { text, rest: () => readWhile(() => true), cancel: () => reader.cancel() };
};

/** All events of a run, read by a client that comes back whenever it is cut off. */
export const follow = async (
  request: Send,
  path: string,
  onEvent: (event: ReceivedEvent) => Promise<void> = async () => {},
): Promise<ReceivedEvent[]> => {
  const events: ReceivedEvent[] = [];
  for (let tries = 0; tries < MAX_RECONNECTS; tries += 1) {
    const connect = () => request(path, { headers: { "Last-Event-ID": String(events.at(-1)?.seq ?? 0) } });
    for await (const event of receive(connect)) {
      events.push(event);
      await onEvent(event);
    }
    if (events.at(-1)?.type === "run_end") return events;
  }
  throw new Error(`No run_end after ${MAX_RECONNECTS} connections: ${JSON.stringify(events.slice(-3))}`);
};

/** The events of one connection as they arrive, until it ends or breaks. */
async function* receive(connect: () => Promise<Response>): AsyncGenerator<ReceivedEvent> {
  let rest = "";
  try {
    const response = await connect();
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const text = rest + decoder.decode(chunk, { stream: true });
      const lastEnd = text.lastIndexOf("\n\n");
      // A chunk may end inside of a long frame.
      const end = lastEnd === -1 ? 0 : lastEnd + 2;
      rest = text.slice(end);
      yield* parseFrames(text.slice(0, end));
    }
  } catch {
    // The object died under the stream; what came before counts, and the caller connects again.
  }
}

/** Allows whatever a run asks for, and answers questions with their first options, once the service can be reached. */
const allowing =
  (post: (path: string, body: unknown) => Promise<Response>, runId: string) => async (event: ReceivedEvent) => {
    const isQuestion = event.type === "question_request";
    if (!isQuestion && event.type !== "permission_request" && event.type !== "plan_proposed") return;
    const [room, body] = isQuestion
      ? ["questions", { answers: event.questions.map(({ options }) => [options[0]?.label]) }]
      : ["permissions", { decision: "allow_once" }];
    for (let tries = 0; tries < MAX_RECONNECTS; tries += 1) {
      const answer = await post(`/_framework/runs/${runId}/${room}/${event.requestId}`, body);
      if (answer.ok) return;
    }
    throw new Error("The answer never got through.");
  };

/**
 * The events of a stream's text; comments and `retry:` are left out. A field that no event of its kind has is an error: a client
 * would see what is ours alone.
 */
export const parseFrames = (text: string): ReceivedEvent[] =>
  text
    .split("\n\n")
    .filter((frame) => frame.startsWith("id: "))
    .map((frame) => {
      const raw = Fields.parse(JSON.parse(frame.slice(frame.indexOf("data: ") + 6)));
      const event = { ...TranscriptEvent.parse(raw), ...Numbered.parse(raw) };
      const unknown = Object.keys(raw).filter((field) => !(field in event));
      if (unknown.length > 0) throw new Error(`${event.type} has fields that the contract does not know: ${unknown}`);
      return event;
    });

/** The kinds in order; neighbouring deltas count once, since how they are merged is a matter of time. */
export const kinds = (events: readonly ReceivedEvent[]): string[] =>
  events.map(({ type }) => type).filter((type, index, all) => !(type.endsWith("_delta") && all[index - 1] === type));
