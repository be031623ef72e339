/** Plays one scripted reply onto a response. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Frame, Reply } from "./reply.ts";

/** Characters written at once at most: events that follow each other closely share a packet, as they do on a network. */
const MAX_WRITE_CHARS = 16_384;

const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "request-id": "req_scripted",
};

/** Answers with a JSON body. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_scripted", ...headers });
  response.end(JSON.stringify(body));
};

const textOf = (frame: Frame): string => {
  if (frame.type === "raw") return frame.text;
  if (frame.type === "event") return `event: ${frame.event.type}\ndata: ${JSON.stringify(frame.event)}\n\n`;
  return "";
};

/** Writes a text and waits until the socket has room for more, or the client has left. */
const write = async (response: ServerResponse, text: string, left: AbortSignal): Promise<void> => {
  if (text === "" || left.aborted) return;
  if (!response.headersSent) response.writeHead(200, SSE_HEADERS);
  if (response.write(text)) return;
  // Rejects only when `left` aborts, which the caller looks at itself.
  await once(response, "drain", { signal: left }).catch(() => undefined);
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
): Promise<void> => {
  if (reply.type === "failure") return sendJson(response, reply.status, reply.body, reply.headers);
  let pending = "";
  for (const frame of reply.frames) {
    pending += textOf(frame);
    if (pending.length < MAX_WRITE_CHARS && (frame.type === "event" || frame.type === "raw")) continue;
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
