/** Every way in which a model provider misbehaves, with what the contract says of it. */
import { callTool, callTools, message, refuse, say } from "../../support/model-script.ts";
import {
  closeBlock,
  closeMessage,
  event,
  inputDelta,
  openMessage,
  openText,
  openToolUse,
  textDelta,
} from "../../support/model-server/message-frames.ts";
import type { Frame, Reply } from "../../support/model-server/reply.ts";
import {
  cutMidEvent,
  endEarly,
  errorMidStream,
  fail,
  holdMidStream,
  malformed,
  maxTokensInToolUse,
  promptTooLong,
  rateLimited,
  spendLimitReached,
  unauthorized,
} from "../../support/model-troubles.ts";

/** One misbehaviour. */
export type Trouble = {
  readonly name: string;
  /** `undefined`: the connection is cut before any byte. */
  readonly reply: () => Reply | undefined;
  /** How the run may end when it happens once, and then a good reply comes. */
  readonly once: readonly string[];
  /** The same when it happens each time; not given where that would take minutes of real waiting. */
  readonly always?: readonly string[];
  /** The failure code of a run that has failed by it. */
  readonly code?: string;
  /** It is longer than what a request may hold of earlier turns. */
  readonly isHuge?: boolean;
};

const NOW = { "retry-after-ms": "1" };
const GOES_ON = ["completed"];
const FAILS = ["failed"];
const ENDS_EARLY = ["incomplete"];
const ANY = ["completed", "incomplete", "failed"];

const later = (name: string, code: string, reply: Trouble["reply"]): Trouble => ({
  ...{ name, code, reply },
  ...{ once: GOES_ON, always: FAILS },
});
const forGood = (name: string, code: string, reply: Trouble["reply"]): Trouble => ({
  ...{ name, code, reply },
  ...{ once: FAILS, always: FAILS },
});
const harmless = (name: string, reply: Trouble["reply"], ends = GOES_ON): Trouble => ({
  ...{ name, reply },
  ...{ once: ends, always: ends },
});

const stream = (frames: readonly Frame[]): Reply => ({ type: "stream", frames: [...frames] });
const raw = (text: string): Frame => ({ type: "raw", text });
const refused = (status: number, type: string, headers = {}) => fail(status, type, "No.", { headers });
const spoken = (text: string, stopReason = "end_turn") => [
  ...[...openMessage(), openText(0), textDelta(0, text), closeBlock(0)],
  ...closeMessage(stopReason),
];

/** Failures that a retry may overcome. */
const LATER: readonly Trouble[] = [
  later("429", "model_rate_limited", () => rateLimited(NOW)),
  later("500", "model_unavailable", () => refused(500, "api_error", NOW)),
  later("503", "model_unavailable", () => refused(503, "api_error", NOW)),
  later("504 without a hint when", "model_unavailable", () => refused(504, "timeout_error")),
  later("529", "model_overloaded", () => refused(529, "overloaded_error", NOW)),
  later("no answer at all", "model_unavailable", () => undefined),
  later("an empty stream", "model_unavailable", () => stream([raw(": nothing\n\n")])),
  later("a page of HTML", "model_unavailable", () => stream([raw("<html><body>Bad gateway</body></html>")])),
  later("a stream cut in mid-event", "model_unavailable", () => cutMidEvent("Half")),
  later("a stream that ends early", "model_unavailable", () => endEarly("Half")),
  later("an event that is no JSON", "model_unavailable", () => malformed("Half")),
  later("an overload inside the stream", "model_overloaded", () => errorMidStream("Half")),
  later("a failure inside the stream", "model_unavailable", () => errorMidStream("Half", "api_error")),
  later("a rate limit inside the stream", "model_rate_limited", () => errorMidStream("Half", "rate_limit_error")),
  later("a delta of no block", "model_unavailable", () => stream([...openMessage(), textDelta(7, "Lost")])),
  later("a call cut in its input", "model_unavailable", () =>
    stream([...openMessage(), openToolUse(0, "toolu_cut", "add-stock"), inputDelta(0, '{"symbol":'), { type: "cut" }]),
  ),
  later("input that is no JSON", "model_unavailable", () =>
    stream([
      ...[...openMessage(), openToolUse(0, "toolu_odd", "add-stock"), inputDelta(0, '{"symbol": AA}')],
      ...[closeBlock(0), ...closeMessage("tool_use")],
    ]),
  ),
  later("one id for two calls", "model_unavailable", () =>
    callTools(["a", "b"].map((q) => ({ id: "toolu_twice", name: "list-stocks", input: { q } }))),
  ),
];

/** Failures that no retry overcomes. */
const FOR_GOOD: readonly Trouble[] = [
  forGood("400", "model_invalid_request", () => refused(400, "invalid_request_error")),
  forGood("401", "model_auth", unauthorized),
  forGood("402", "model_auth", () => refused(402, "billing_error")),
  forGood("403", "model_auth", () => refused(403, "permission_error")),
  forGood("404", "model_invalid_request", () => refused(404, "not_found_error")),
  forGood("422", "model_invalid_request", () => refused(422, "invalid_request_error")),
  forGood("429 by a spend limit", "model_rate_limited", spendLimitReached),
  forGood("429 for an hour", "model_rate_limited", () => rateLimited({ "retry-after": "3600" })),
  // Asked once more with a shorter conversation.
  later("413", "context_too_long", () => refused(413, "request_too_large")),
  later("a prompt that is too long", "context_too_long", promptTooLong),
];

/** Answers that are odd and still answers. */
const ODD: readonly Trouble[] = [
  harmless("events nobody knows", () => stream([event("who_knows", { x: 1 }), ...spoken("Well.")])),
  harmless("a flood of pings", () =>
    stream([...Array.from({ length: 2_000 }, () => event("ping")), ...spoken("Well.")]),
  ),
  harmless("NUL and half a character", () => stream(spoken("a\u0000b\ud800c\u2028d"))),
  harmless("a blank text", () => stream(spoken("  \n "))),
  harmless("an empty message", () => message([])),
  { ...harmless("two megabytes in one event", () => stream(spoken("word ".repeat(400_000))), ANY), isHuge: true },
  harmless("a refusal", () => refuse("I will not."), ["completed", "incomplete"]),
  harmless("too few tokens for its text", () => say("And so", { stopReason: "max_tokens" }), ENDS_EARLY),
  harmless("too few tokens for its call", () => maxTokensInToolUse("add-stock", '{"symbol":"AA'), ENDS_EARLY),
  harmless("a tool that does not exist", () => callTool("format_disk", {})),
  harmless("input of the wrong shape", () => callTool("add-stock", { symbol: 7, colour: "red" })),
  harmless("calls that are announced and missing", () => stream(spoken("I call.", "tool_use")), ANY),
  harmless("a stop reason nobody knows", () => stream(spoken("Well.", "moonrise")), ANY),
];

/** A minute of silence is a real minute here: each once. */
const SILENT: readonly Trouble[] = [
  { name: "a minute of silence", code: "model_timeout", once: GOES_ON, reply: () => stream([{ type: "hold" }]) },
  {
    name: "a minute of silence in a text",
    code: "model_timeout",
    once: GOES_ON,
    reply: () => holdMidStream("Half", ""),
  },
];

/** All of them, the slowest first. */
export const TROUBLES: readonly Trouble[] = [...SILENT, ...LATER, ...FOR_GOOD, ...ODD];
