/** Starting a turn: the body of `POST /api/agent/turn` and its answer (spec §2). */
import * as z from "zod";
import { HarnessSessionId, RunId } from "./ids.ts";
import { wellFormed } from "./well-formed.ts";

/** Longest thread id, in UTF-16 units: an id is a key, not a text (CONTRACT §2). */
export const MAX_THREAD_ID_LENGTH = 200;

/** Longest prompt after trimming, in UTF-16 units: about 50,000 tokens, a quarter of a model's window. */
export const MAX_PROMPT_LENGTH = 200_000;

/**
 * Body of the turn start. Never fails: anything that is not a string reads as "" (spec §2). `model` and `effort` hold for this
 * run; undefined is the default, and what else they hold is checked against the models that are allowed.
 */
export const TurnStartRequest = z
  .object({
    threadId: z.string().catch(""),
    prompt: z.string().trim().overwrite(wellFormed).catch(""),
    model: z.unknown().optional(),
    effort: z.unknown().optional(),
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
