/** Turns everything that can go wrong between here and a host workspace into one kind of refusal. */

import type { z } from "zod";
import { isLoopbackHost } from "../../contract/local/loopback.ts";
import { parseJson, readText } from "../../contract/parse-json.ts";
import { WorkspaceError } from "../workspace.ts";

/**
 * Why a real directory cannot be reached, and what a person can do about it; the model passes it on, the transcript shows it. Each
 * ends the call, not the run: work that needs no files can continue.
 */
export const UNREACHABLE = {
  gone: "The workspace cannot be reached: its server does not answer. Ask the person to start it (npm run dev on their own machine, npm run workspace for a deployed Worker), then try again.",
  wrongToken:
    "The workspace cannot be reached: its server was started with another token. Ask the person to give the Worker the same one, as WORKSPACE_TOKEN, then try again.",
  unknownHost:
    "The workspace cannot be reached: its server does not know the name in WORKSPACE_URL. Ask the person to start it with --public-host and that name, then try again.",
} as const;

/** The server's address without a trailing slash. @throws {WorkspaceError} when the token would be sent unencrypted over a network. */
export const addressOf = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname))) {
    return text.replace(/\/+$/, "");
  }
  throw new WorkspaceError(
    "unavailable",
    "WORKSPACE_URL is not an https: address. Plain http works only on this machine.",
  );
};

/** An answer that may be cut off. @throws {WorkspaceError} `unavailable`, or the refusal in the answer. */
export const reached = async <Value>(answer: Promise<Value>): Promise<Value> => {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof WorkspaceError ? error : cutOff(error);
  }
};

/** The same for lines. */
export async function* reachedAll(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw cutOff(error);
  }
}

/**
 * Largest answer that is read as text: 10 MiB. As JSON, a search returns 8.5 MB at most, and a command's output takes 6.3 MB. Servers of
 * earlier releases may return more than an object can hold.
 */
const MAX_ANSWER_BYTES = 10 * 1_024 * 1_024;

/** Reads an answer as text. @throws {WorkspaceError} `too_large`, without having read the rest. */
export const textOf = async ({ body }: Response): Promise<string> => {
  try {
    return await readText(body, MAX_ANSWER_BYTES);
  } catch (error) {
    if (error instanceof RangeError) throw new WorkspaceError("too_large", TOO_LARGE, { cause: error });
    throw error;
  }
};

const TOO_LARGE =
  "The workspace server's answer is too large. Narrow the request, or ask the person to update the server (git pull && npm ci), then start it again.";

/** JSON of this shape. @throws {WorkspaceError} `unavailable`. */
export const parse = <Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> => {
  try {
    return schema.parse(parseJson(text));
  } catch (error) {
    throw unreadable(error);
  }
};

/** The server is gone, or its answer is incomplete. */
export const cutOff = (cause?: unknown): WorkspaceError =>
  new WorkspaceError("unavailable", UNREACHABLE.gone, { cause });

/** The answer is not the server's, but that of a proxy, a tunnel or another site. */
export const foreign = (status: number): WorkspaceError =>
  new WorkspaceError(
    "unavailable",
    `The workspace cannot be reached: something else answers at WORKSPACE_URL, with status ${status}. Ask the person to start its server, and to look at the proxy or tunnel in front of it, then try again.`,
  );

/** The answer does not have our format. */
export const unreadable = (cause: unknown): WorkspaceError =>
  new WorkspaceError("unavailable", "The workspace server sent an answer that cannot be read.", { cause });

/**
 * Whole lines without their `\n`, in UTF-8; text after the last line end is dropped, since it was cut off. Nothing else ends a line: JSON
 * may contain U+2028, at which Node's readline splits.
 */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
