/** Starting a turn, and saying something to its run while it works: the bodies and their answers (api.md §2). */
import * as z from "zod";
import { AppError } from "./app-error.ts";
import { HarnessSessionId, RunId } from "./ids.ts";
import { wellFormed } from "./plain-text.ts";

/** Longest thread id, in UTF-16 units: an id is a key, not a text (api.md §1). */
export const MAX_THREAD_ID_LENGTH = 200;

/** Remedy for an id that no path can name; undefined for others. Paths lose the segments `.` and `..`, and cannot hold half a character. */
export const pathRemedy = (id: string): string | undefined => {
  if (!id.isWellFormed()) return "use whole Unicode characters";
  return id === "." || id === ".." ? 'use another id than "." or ".."' : undefined;
};

/** @throws {AppError} 400 for a thread id that no path can name, or that is too long. Not for an empty one. */
export const requireThreadId = (id: string): void => {
  if (id.length > MAX_THREAD_ID_LENGTH) throw new AppError(400, "threadId: use at most 200 characters.");
  const remedy = pathRemedy(id);
  if (remedy !== undefined) throw new AppError(400, `threadId: ${remedy}.`);
};

/** Longest prompt after trimming, in UTF-16 units: about 50,000 tokens, a quarter of a model's window. */
export const MAX_PROMPT_LENGTH = 200_000;

/**
 * Body of the turn start. Never fails: anything that is not a string reads as "" (api.md §1). `model` and `effort` apply to this run
 * only; undefined means the default, and other values are checked against the allowed models. `mode` is `plan` or left out, `timeZone` the
 * person's.
 */
export const TurnStartRequest = z
  .object({
    threadId: z.string().catch(""),
    prompt: z.string().trim().overwrite(wellFormed).catch(""),
    model: z.unknown().optional(),
    effort: z.unknown().optional(),
    mode: z.unknown().optional(),
    timeZone: z.unknown().optional(),
  })
  .catch({ threadId: "", prompt: "" });

export type TurnStartRequest = z.infer<typeof TurnStartRequest>;

/** Answer of the turn start. `sessionId` is null only for the POST that creates the thread's harness session. */
export const TurnStartResponse = z.strictObject({
  runId: RunId,
  sessionId: HarnessSessionId.nullable(),
  events: z.string().startsWith("/_framework/runs/"),
});

export type TurnStartResponse = z.infer<typeof TurnStartResponse>;

/** Path of a run's event stream (api.md §2). */
export const eventsPath = (runId: string): string => `/_framework/runs/${runId}/events`;

/** Longest message, in UTF-16 units: a correction or an addition, not another prompt. */
const MAX_MESSAGE_LENGTH = 20_000;

/** Most messages to one run: each can add a step to it. */
export const MAX_RUN_MESSAGES = 8;

/** Body of `POST /_framework/runs/<run_id>/messages`. */
export const RunMessage = z.strictObject({
  text: z.string().trim().overwrite(wellFormed).min(1).max(MAX_MESSAGE_LENGTH),
});
export type RunMessage = z.infer<typeof RunMessage>;

/** Answer to a message. The transcript's events name the message by this id. */
export const RunMessageTaken = z.object({ messageId: z.uuid() });
export type RunMessageTaken = z.infer<typeof RunMessageTaken>;
