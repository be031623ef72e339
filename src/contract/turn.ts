/** Starting a turn: the body of `POST /api/agent/turn` and its answer (spec §2). */
import { z } from "zod";
import { HarnessSessionId, RunId } from "./ids.ts";

/** Longest thread id, in UTF-16 units: an id is a key, not a text (CONTRACT §2). */
export const MAX_THREAD_ID_LENGTH = 200;

/** Longest prompt after trimming, in UTF-16 units: about 50,000 tokens, a quarter of a model's window. */
export const MAX_PROMPT_LENGTH = 200_000;

/** Body of the turn start. Never fails: anything that is not a string reads as "" (spec §2). */
export const TurnStartRequest = z
  .object({ threadId: z.string().catch(""), prompt: z.string().trim().catch("") })
  .catch({ threadId: "", prompt: "" });
export type TurnStartRequest = z.infer<typeof TurnStartRequest>;

/** Answer of the turn start. `sessionId` is null only for the POST that creates the thread's harness session. */
export const TurnStartResponse = z.strictObject({
  runId: RunId,
  sessionId: HarnessSessionId.nullable(),
  events: z.string().startsWith("/_framework/runs/"),
});
export type TurnStartResponse = z.infer<typeof TurnStartResponse>;
