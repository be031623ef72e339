/** What a scripted model answers, as plain data: tests inside workerd send it to the server as JSON. */
import { z } from "zod";

/** One thing the server does while it streams. Headers go out with the first bytes, not before. */
export const Frame = z.discriminatedUnion("type", [
  /** One SSE event; its `event:` line is the object's own `type`. */
  z.object({ type: z.literal("event"), event: z.looseObject({ type: z.string() }) }),
  /** A piece of thinking: sent where the request has thinking shown, left out where it has not. */
  z.object({ type: z.literal("thinking"), index: z.int(), text: z.string() }),
  /** The signature of the thinking block at `index`, made by the server over all that precedes it. */
  z.object({ type: z.literal("sign"), index: z.int() }),
  /** A summary of all that was sent, signed by the server: whole in its start, as the API sends it, or in a delta. */
  z.object({
    type: z.literal("summary"),
    index: z.int(),
    content: z.string(),
    inDelta: z.boolean(),
    /** Sent with the block, such as `encrypted_content: null`. */
    fields: z.record(z.string(), z.unknown()),
  }),
  /** Raw bytes: half an event, broken JSON. */
  z.object({ type: z.literal("raw"), text: z.string() }),
  z.object({ type: z.literal("pause"), ms: z.int().nonnegative() }),
  /** Waits for `release`, or for the client to leave. As the first frame it holds the headers back too. */
  z.object({ type: z.literal("hold") }),
  /** Breaks the connection. Without it a stream ends cleanly after its last frame. */
  z.object({ type: z.literal("cut") }),
]);
export type Frame = z.infer<typeof Frame>;

/** What a reply answers: the calls of turns when it is not given. All three are played in the order they were scripted. */
const answers = z.enum(["compaction", "title"]).optional();

/** One answer to one `POST /v1/messages`. */
export const Reply = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stream"), answers, frames: z.array(Frame) }),
  z.object({
    type: z.literal("failure"),
    answers,
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
  }),
]);
export type Reply = z.infer<typeof Reply>;

/** A reply that streams, however it ends. */
export type StreamReply = Extract<Reply, { type: "stream" }>;

/** How far the server is with a request. `client_left`: the client closed the connection before the end. */
export const RequestState = z.enum(["answering", "held", "answered", "client_left"]);
export type RequestState = z.infer<typeof RequestState>;

/** A request as the server received it; header names are lower case. */
export const RecordedRequest = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
  state: RequestState,
});
export type RecordedRequest = z.infer<typeof RecordedRequest>;

/** What became of thinking that a request sent: an entry of the API's `input_transformations`. */
export const Transformation = z.object({
  type: z.enum(["thinking_dropped", "thinking_mismatch_allowed"]),
  path: z.string(),
  reason: z.enum(["prefix_binding_mismatch", "model_binding_mismatch"]),
});
export type Transformation = z.infer<typeof Transformation>;

/** The blocks of one answer as the client has them. */
export const SentBlocks = z.array(z.looseObject({ type: z.string() }));
export type SentBlocks = z.infer<typeof SentBlocks>;

/** What the Models API does from now on. Each setting replaces the one before it. */
export const ModelsSetting = z.strictObject({
  /** Answers this error. */
  failure: z
    .strictObject({
      status: z.int(),
      type: z.string(),
      message: z.string(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** Answers nothing at all; the client has to leave. */
  hangs: z.boolean().optional(),
  /** Fields of `ModelInfo` that replace a model's own, by id; null takes the model away. A new id adds a model. */
  models: z.record(z.string(), z.record(z.string(), z.unknown()).nullable()).optional(),
});
export type ModelsSetting = z.infer<typeof ModelsSetting>;

/** A request of the Models API as it came. */
export const ModelsRequest = z.object({ path: z.string(), headers: z.record(z.string(), z.string()) });
export type ModelsRequest = z.infer<typeof ModelsRequest>;
