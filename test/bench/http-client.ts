/** The one client of both sides: node:http, kept-alive connections, no parsing while the clock runs. */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { json, text } from "node:stream/consumers";
import type { z } from "zod";

/** One connection per open stream; connections are used again. */
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** How much of a stream's end is looked at, in bytes: more than one `run_end` frame. */
const TAIL_BYTES = 1_024;

/** Headers that say who asks. */
export type Signed = Readonly<Record<string, string>>;

/** Sends JSON and parses the answer. @throws {Error} for any status but 200. */
export const postJson = async <Schema extends z.ZodType>(
  schema: Schema,
  url: string,
  body: unknown,
  signed: Signed = {},
): Promise<z.infer<Schema>> => {
  const response = await send(url, { method: "POST", body: JSON.stringify(body), signed });
  const answer = await json(response);
  if (response.statusCode !== 200) throw new Error(`POST ${url}: ${response.statusCode} ${JSON.stringify(answer)}`);
  return schema.parse(answer);
};

/** Gets an answer's text. @throws {Error} for any status but 200. */
export const getText = async (url: string, signed: Signed = {}): Promise<string> => {
  const response = await send(url, { method: "GET", signed });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`GET ${url}: ${response.statusCode} ${answer}`);
  return answer;
};

/** Posts JSON. Resolves with the first bytes of the answer's body, whatever they are; the rest is thrown away. */
export const postUntilFirstByte = async (url: string, body: unknown, signed: Signed): Promise<void> => {
  const response = await send(url, { method: "POST", body: JSON.stringify(body), signed });
  if (response.statusCode !== 200) throw new Error(`POST ${url}: ${response.statusCode}`);
  await once(response, "data");
};

/** Subscribes to an event stream. Resolves with its headers; `answered` then with its first delta, `ended` with its length. */
export const subscribe = async (
  url: string,
  signed: Signed = {},
): Promise<{ answered: Promise<void>; ended: Promise<number> }> => {
  const response = await open(url, signed);
  return { answered: first("text_delta", response), ended: drain(response) };
};

/** As `subscribe`, for a run of the product; `began` resolves with its `run_start`, which the floor's runs do not have. */
export const subscribeFromStart = async (
  url: string,
): Promise<{ began: Promise<void>; answered: Promise<void>; ended: Promise<number> }> => {
  const response = await open(url);
  return { began: first("run_start", response), answered: first("text_delta", response), ended: drain(response) };
};

const open = async (url: string, signed: Signed = {}): Promise<IncomingMessage> => {
  const response = await send(url, { method: "GET", signed });
  if (response.statusCode !== 200) throw new Error(`GET ${url}: ${response.statusCode}`);
  return response;
};

type Sent = { readonly method: string; readonly body?: string; readonly signed?: Signed };

const send = (url: string, { method, body = "", signed = {} }: Sent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const json = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const headers = { ...signed, ...(body === "" ? {} : json) };
    request(url, { method, agent, headers }, resolve).on("error", reject).end(body);
  });

/** What precedes the event is short, so it is searched again with each chunk. */
const first = (type: "run_start" | "text_delta", response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let begin = "";
    const look = (chunk: Buffer) => {
      begin += chunk.toString("latin1");
      if (!begin.includes(`"type":"${type}"`)) return;
      response.off("data", look);
      resolve();
    };
    response.on("data", look);
  });

/** Counts bytes; only the tail is kept, to recognize the run's end when the stream is over. */
const drain = (response: IncomingMessage): Promise<number> =>
  new Promise((resolve, reject) => {
    let bytes = 0;
    let tail = Buffer.alloc(0);
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      tail = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([tail.subarray(-TAIL_BYTES), chunk]);
    });
    response.on("error", reject);
    response.on("end", () => {
      if (tail.subarray(-TAIL_BYTES).includes('"type":"run_end"')) resolve(bytes);
      else reject(new Error(`The stream ended without run_end: …${tail.subarray(-TAIL_BYTES).toString()}`));
    });
  });
