/** Answers that the listener gives by itself, in the form of the app's own (CONTRACT §1). */
import type { ServerResponse } from "node:http";

/** As the app says it of a path that nobody knows. */
export const NOT_FOUND_TEXT = "Not found.";

/** A status and its words for the person or program that asked. */
export type Refusal = { readonly status: 400 | 403 | 404; readonly message: string };

/** Answers with the refusal. The connection closes: what is left of the request is not read. */
export const answerRefusal = (response: ServerResponse, { status, message }: Refusal): void => {
  if (response.headersSent) return void response.destroy();
  const headers = { "content-type": "application/json", "cache-control": "no-store", connection: "close" };
  response.writeHead(status, headers).end(JSON.stringify({ error: message }));
};
