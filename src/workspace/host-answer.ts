/** What can go wrong on the way to a host workspace and back, told as the one refusal there is for it. */
import type { z } from "zod";
import { UNREACHABLE } from "./unreachable.ts";
import { WorkspaceError } from "./workspace.ts";

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** The server's address without a slash at its end. @throws {WorkspaceError} when the token would go over a network in the clear. */
export const addressOf = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.includes(url.hostname))) {
    return text.replace(/\/+$/, "");
  }
  throw new WorkspaceError("unavailable", "WORKSPACE_URL is no https: address. Plain http is for this machine alone.");
};

/** An answer that may be cut off. @throws {WorkspaceError} `unavailable`, or what the answer itself refuses. */
export const reached = async <Value>(answer: Promise<Value>): Promise<Value> => {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof WorkspaceError ? error : cutOff(error);
  }
};

/** The same of lines. */
export async function* reachedAll(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw cutOff(error);
  }
}

/** JSON of this shape. @throws {WorkspaceError} `unavailable`. */
export const parse = <Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> => {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw unreadable(error);
  }
};

/** The server is gone, or its answer is not whole. */
export const cutOff = (cause?: unknown): WorkspaceError =>
  new WorkspaceError("unavailable", UNREACHABLE.gone, { cause });

/** The answer is not one of ours. */
export const unreadable = (cause: unknown): WorkspaceError =>
  new WorkspaceError("unavailable", "The workspace server gave an answer that makes no sense.", { cause });
