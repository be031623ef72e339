/** Reads a call and answers it with JSON, even if the answer takes long. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { tryParseJson } from "../contract/parse-json.ts";
import { WorkspaceError } from "../workspace/workspace.ts";

/** Largest JSON call: a long command fits. */
export const MAX_CALL_BYTES = 1_048_576;

/** A call; `left` aborts when the caller disconnects before it is answered. */
export type Call = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly left: AbortSignal };

/** Reads the whole body. @throws {WorkspaceError} `too_large`, as soon as that is known. */
export const readBody = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    byteLength += chunk.byteLength;
    if (byteLength > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const tooLarge = (maxBytes: number): WorkspaceError =>
  new WorkspaceError("too_large", `A call can have at most ${maxBytes} bytes. Send less at once.`);

/** The parameters of a JSON call. @throws {WorkspaceError} `invalid`, or `too_large`. */
export const input = async <Schema extends z.ZodType>(call: Call, schema: Schema): Promise<z.infer<Schema>> => {
  const body = await readBody(call.request, MAX_CALL_BYTES);
  return checked(schema, tryParseJson(body.toString("utf8")));
};

/** Parameters, wherever they come from. @throws {WorkspaceError} `invalid`. */
export const checked = <Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new WorkspaceError("invalid", `The call is not valid: ${parsed.error.issues[0]?.message ?? ""}`);
};

/** Answers 200. */
export const sendJson = ({ response }: Call, answer: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
};

/**
 * How often a sign of life is sent, in ms. Proxies cut a silent connection, Cloudflare's after 100 s; this is well below other limits, such
 * as the 60 s of nginx.
 */
export const ALIVE_EVERY_MS = 10_000;

/** The result of `work`; until it arrives, `say` is called at this interval. */
export const whileWaiting = async <Value>(
  work: Promise<Value>,
  everyMs: number,
  say: () => unknown,
): Promise<Value> => {
  const timer = setInterval(say, everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
};
