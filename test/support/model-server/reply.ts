/** What a scripted model answers, as plain data: tests inside workerd send it to the server as JSON. */
import { z } from "zod";

/** One thing the server does while it streams. Headers go out with the first bytes, not before. */
export const Frame = z.discriminatedUnion("type", [
  /** One SSE event; its `event:` line is the object's own `type`. */
  z.object({ type: z.literal("event"), event: z.looseObject({ type: z.string() }) }),
  /** Bytes as they stand: half an event, broken JSON. */
  z.object({ type: z.literal("raw"), text: z.string() }),
  z.object({ type: z.literal("pause"), ms: z.int().nonnegative() }),
  /** Waits for `release`, or for the client to leave. As the first frame it holds the headers back too. */
  z.object({ type: z.literal("hold") }),
  /** Breaks the connection. Without it a stream ends cleanly after its last frame. */
  z.object({ type: z.literal("cut") }),
]);
export type Frame = z.infer<typeof Frame>;

/** One answer to one `POST /v1/messages`. */
export const Reply = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stream"), frames: z.array(Frame) }),
  z.object({
    type: z.literal("failure"),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
  }),
]);
export type Reply = z.infer<typeof Reply>;

/** A reply that streams, whatever becomes of it. */
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
