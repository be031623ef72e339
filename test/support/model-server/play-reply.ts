/** Plays one scripted reply onto a response. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { OutgoingMessage } from "./outgoing-message.ts";
import type { Frame, Reply, StreamReply } from "./reply.ts";

/** Characters written at once at most: events that follow each other closely share a packet, as they do on a network. */
const MAX_WRITE_CHARS = 16_384;

const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "request-id": "req_scripted",
};

/** Answers with a JSON body; a text with a content type of its own goes out as it is. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_scripted", ...headers });
  response.end("content-type" in headers ? body : JSON.stringify(body));
};

/** How frames become events: `OutgoingMessage`, or as they are where nobody keeps what was sent. */
type Rendering = Pick<OutgoingMessage, "events">;

const AS_THEY_ARE: Rendering = { events: (frame) => (frame.type === "event" ? [frame.event] : []) };

const textOf = (frame: Frame, rendering: Rendering): string => {
  if (frame.type === "raw") return frame.text;
  return rendering
    .events(frame)
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
};

const isAboutTime = ({ type }: Frame): boolean => type === "pause" || type === "hold" || type === "cut";

/** Writes a text and waits until the socket has room for more, or the client has left. */
const write = async (response: ServerResponse, text: string, left: AbortSignal): Promise<void> => {
  if (text === "" || left.aborted) return;
  if (!response.headersSent) response.writeHead(200, SSE_HEADERS);
  if (response.write(text)) return;
  // Rejects only when `left` aborts, which the caller looks at itself.
  await once(response, "drain", { signal: left }).catch(() => undefined);
};

/** Answers with the whole message as JSON. An error inside the stream becomes the answer; bytes as they are have no place. */
export const playWhole = async (
  { frames }: StreamReply,
  response: ServerResponse,
  hold: () => Promise<unknown>,
  left: AbortSignal,
  message: OutgoingMessage,
): Promise<void> => {
  for (const frame of frames) {
    if (frame.type === "pause") await pause(frame.ms);
    if (frame.type === "hold") await hold();
    if (left.aborted) return;
    if (frame.type === "cut") return void response.destroy();
    const failed = message.events(frame).find((event) => event.type === "error");
    if (failed !== undefined) return sendJson(response, 500, failed);
  }
  sendJson(response, 200, message.whole());
};

/**
 * Streams or refuses, as the reply says. `hold` resolves when a hold may go on or the client has left; `left` aborts when
 * it has, and the rest of the reply is dropped.
 */
export const playReply = async (
  reply: Reply,
  response: ServerResponse,
  hold: () => Promise<unknown>,
  left: AbortSignal,
  rendering: Rendering = AS_THEY_ARE,
): Promise<void> => {
  if (reply.type === "failure") return sendJson(response, reply.status, reply.body, reply.headers);
  let pending = "";
  for (const frame of reply.frames) {
    pending += textOf(frame, rendering);
    if (pending.length < MAX_WRITE_CHARS && !isAboutTime(frame)) continue;
    await write(response, pending, left);
    pending = "";
    if (frame.type === "pause") await pause(frame.ms);
    if (frame.type === "hold") await hold();
    if (left.aborted) return;
    // An empty write calls back once everything before it is with the system.
    if (frame.type === "cut") return void response.write("", () => response.destroy());
  }
  await write(response, pending, left);
  response.end();
};
