/** Replies of a model that does not work, or not yet: refused requests, broken and hanging streams. */
import {
  closeBlock,
  closeMessage,
  event,
  inputDelta,
  openMessage,
  openText,
  openToolUse,
  textDelta,
} from "./model-server/message-frames.ts";
import type { Frame, Reply, StreamReply } from "./model-server/reply.ts";

/** An error answer with the API's own body. `details` is where the API puts its machine-readable codes. */
export const fail = (
  status: number,
  errorType: string,
  text: string,
  options: { headers?: Readonly<Record<string, string>>; details?: unknown } = {},
): Reply => ({
  type: "failure",
  status,
  headers: { ...options.headers },
  body: {
    type: "error",
    error: { type: errorType, message: text, ...(options.details === undefined ? {} : { details: options.details }) },
    request_id: "req_scripted",
  },
});

/** 429. `headers` may hold `retry-after` (seconds or a date) or `retry-after-ms`. */
export const rateLimited = (headers: Readonly<Record<string, string>> = {}): Reply =>
  fail(429, "rate_limit_error", "This request would exceed your rate limit.", { headers });

/** 429 that waiting does not resolve: the account's own cap is reached. */
export const spendLimitReached = (): Reply =>
  fail(429, "rate_limit_error", "Spend limit reached.", { details: { error_code: "enforced_spend_limit_reached" } });

/** 529. */
export const overloaded = (): Reply => fail(529, "overloaded_error", "Overloaded");

/** 500. */
export const serverError = (): Reply => fail(500, "api_error", "Internal server error");

/** 401. */
export const unauthorized = (): Reply => fail(401, "authentication_error", "invalid x-api-key");

/**
 * 403 of the API's edge, which knows no key yet: https://github.com/anthropics/anthropic-sdk-typescript/issues/457; or its page, as in
 * https://github.com/jtsang4/claude-to-chatgpt/issues/5.
 */
export const fromElsewhere = (page?: string): Reply => ({
  ...{ type: "failure", status: 403, headers: page === undefined ? {} : { "content-type": "text/html" } },
  body: page ?? { error: { type: "forbidden", message: "Request not allowed" } },
});

/** 400 for a request whose connection broke on its way up: the API parses what has arrived of the body. */
export const cutUpload = (): Reply =>
  fail(
    400,
    "invalid_request_error",
    "The request body is not valid JSON: unexpected end of data: line 1 column 812 (char 811)",
  );

/** 400 of something in between, such as a load balancer: a page, and not the API's own body. */
export const badGatewayRequest = (): Reply => ({
  ...{ type: "failure", status: 400, headers: { "content-type": "text/html" } },
  body: "<html><head><title>400 Bad Request</title></head></html>",
});

/** 400 for a conversation that no longer fits. */
export const promptTooLong = (): Reply =>
  fail(400, "invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum");

const opened = (text: string): Frame[] => [...openMessage(), openText(0), textDelta(0, text)];

/** Says `text`, then loses the connection in the middle of an event. */
export const cutMidEvent = (text: string): StreamReply => ({
  type: "stream",
  frames: [
    ...opened(text),
    { type: "raw", text: 'event: content_block_delta\ndata: {"type":"content_bl' },
    { type: "cut" },
  ],
});

/** Says `text`, then the stream ends in good order, but without `message_stop`. */
export const endEarly = (text: string): StreamReply => ({ type: "stream", frames: opened(text) });

/** Says `text`, then sends an event whose data is not JSON. */
export const malformed = (text: string): StreamReply => ({
  type: "stream",
  frames: [...opened(text), { type: "raw", text: "event: content_block_delta\ndata: {not json\n\n" }],
});

/** Says `text`, then reports an error inside the stream, status 200 long sent. */
export const errorMidStream = (text: string, type = "overloaded_error", message = "Overloaded"): StreamReply => ({
  type: "stream",
  frames: [...opened(text), event("error", { error: { type, message } })],
});

/** Says `before`, waits for `release` or for the client to leave, then says `after` and ends. */
export const holdMidStream = (before: string, after: string): StreamReply => ({
  type: "stream",
  frames: [...opened(before), { type: "hold" }, textDelta(0, after), closeBlock(0), ...closeMessage("end_turn")],
});

/** Begins a call, of whose input `partialJson` is all that comes, says `after`, and waits for the client to leave. */
export const holdAfterCall = (name: string, partialJson: string, after: string): StreamReply => ({
  type: "stream",
  frames: [
    ...openMessage(),
    openToolUse(0, `toolu_${crypto.randomUUID()}`, name),
    inputDelta(0, partialJson),
    openText(1),
    textDelta(1, after),
    { type: "hold" },
  ],
});

/** Sends not even headers until `release`; then the reply it is given. */
export const holdBefore = ({ frames }: StreamReply): StreamReply => ({
  type: "stream",
  frames: [{ type: "hold" }, ...frames],
});

/** Runs out of output tokens in the middle of a call's input: `partialJson` is all there is of it. */
export const maxTokensInToolUse = (name: string, partialJson: string): StreamReply => ({
  type: "stream",
  frames: [
    ...openMessage(),
    openToolUse(0, `toolu_${crypto.randomUUID()}`, name),
    inputDelta(0, partialJson),
    closeBlock(0),
    ...closeMessage("max_tokens"),
  ],
});
