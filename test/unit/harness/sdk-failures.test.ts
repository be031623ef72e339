/** How a turn of the agent SDK ends that its result calls an error. The shapes were seen in 0.3.330. */
import { expect, it } from "vitest";
import { runOn, said, saidUntil } from "../../support/agent-sdk/host-in-memory.ts";

/** The message that the SDK makes up for a failure. */
const madeUp = (error: string) => ({ type: "assistant", message: { content: [] }, error });

const failed = (given: object) => ({
  ...{ type: "result", subtype: "success", is_error: true, stop_reason: "stop_sequence", api_error_status: null },
  ...given,
});

const limit = (given: object) => ({
  type: "rate_limit_event",
  rate_limit_info: { status: "rejected", resetsAt: 1_798_761_600, ...given },
});

const REVOKED = { result: "Failed to authenticate: OAuth token revoked" };

const ELSEWHERE = {
  result: 'Failed to authenticate. API Error: 403 {"error":{"type":"forbidden","message":"Request not allowed"}}',
};

const TOO_LONG = { result: "Prompt is too long · the request is ~250000 tokens (limit 200000)" };

/** As reported: https://github.com/anthropics/claude-code/issues/45911, /69154 and /50784. */
const OTHER_APP = {
  result: `API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Third-party apps now draw from your extra usage, not your plan limits. Add more at claude.ai/settings/usage and keep going."}}`,
};

const NO_LONG_CONTEXT = {
  result: "API Error: Usage credits required for 1M context · turn on usage credits at claude.ai/settings/usage",
};

const NO_LONG_REQUEST = { result: "API Error: 429 Extra usage is required for long context requests." };

/** The SDK gives up by itself: its summaries do not make the conversation short enough. */
const THRASHING = {
  terminal_reason: "rapid_refill_breaker",
  result: "Autocompact is thrashing: the context refilled to the limit within 3 turns of the previous compact.",
};

const FULL = { terminal_reason: "blocking_limit", result: "Your context window is full." };

it.each([
  [400, "invalid_request", {}, "model_invalid_request", "The model refused the agent's request. Word the message"],
  [400, "invalid_request", OTHER_APP, "model_auth", "turned on at claude.ai/settings/usage"],
  [400, "invalid_request", TOO_LONG, "context_too_long", "too long for the model"],
  [null, "invalid_request", TOO_LONG, "context_too_long", "too long for the model"],
  [null, "invalid_request", THRASHING, "context_too_long", "too long for the model"],
  [null, "invalid_request", FULL, "context_too_long", "too long for the model"],
  [529, "overloaded", { terminal_reason: null }, "model_overloaded", "is busy"],
  [401, "authentication_failed", { terminal_reason: "prompt_too_long" }, "model_auth", "replace it"],
  [400, "account_on_hold", {}, "model_auth", "has disabled the account"],
  [null, "account_on_hold", {}, "model_auth", "has disabled the account"],
  [400, "billing_error", {}, "model_auth", "billing problem"],
  [null, "authentication_failed", {}, "model_auth", "not logged in. Run `claude /login`"],
  [401, "authentication_failed", {}, "model_auth", "CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY, replace it"],
  [401, "unknown", {}, "model_auth", "otherwise run `claude /login`"],
  [401, "oauth_org_not_allowed", {}, "model_auth", "may not use this model or this client"],
  [402, "unknown", {}, "model_auth", "billing problem"],
  [403, "authentication_failed", {}, "model_auth", "may not use this model or this client"],
  [403, "authentication_failed", REVOKED, "model_auth", "CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY, replace it"],
  [403, "authentication_failed", ELSEWHERE, "model_auth", "refused the place that the request came from"],
  [404, "model_not_found", {}, "model_invalid_request", "Choose another model, or check AGENT_MODEL"],
  [404, "invalid_request", {}, "model_invalid_request", "Choose another model, or check AGENT_MODEL"],
  [null, "model_not_found", {}, "model_invalid_request", "Choose another model, or check AGENT_MODEL"],
  [413, "invalid_request", {}, "context_too_long", "too long for the model"],
  [422, "unknown", {}, "model_invalid_request", "The model refused"],
  [429, "rate_limit", {}, "model_rate_limited", "takes no more requests"],
  [429, "rate_limit", NO_LONG_CONTEXT, "model_auth", "turned on at claude.ai/settings/usage"],
  [429, "rate_limit", NO_LONG_REQUEST, "model_auth", "turned on at claude.ai/settings/usage"],
  [529, "overloaded", {}, "model_overloaded", "is busy"],
  [500, "server_error", {}, "model_unavailable", "could not get an answer"],
])("a %s that the SDK calls %s, with %j, is %s", async (status, word, result, code, message) => {
  const { outcome } = await runOn([madeUp(word), failed({ api_error_status: status, ...result })]);
  expect(outcome).toMatchObject({
    status: "failed",
    stopReason: "error",
    error: { code, message: expect.stringContaining(message) },
  });
});

it.each([
  ["max_tokens", { api_error: "max_output_tokens" }, "incomplete"],
  ["model_context_window_exceeded", { api_error: "max_output_tokens" }, "incomplete"],
  ["refusal", { stop_reason: "refusal" }, "completed"],
])("a model that stops by %s has not failed, whatever the SDK's result says", async (stopReason, result, status) => {
  const cut = [...saidUntil(stopReason, "Cut"), ...saidUntil(stopReason, "again"), madeUp("invalid_request")];
  const { outcome, journal } = await runOn([...cut, failed(result)]);
  expect(outcome).toEqual({ type: "ended", status, stopReason, error: null });
  expect(journal.commits.at(-1)).toBe(`close 2 ${stopReason}`);
});

it("a provider that is away behind a message that was cut has failed", async () => {
  const away = [...saidUntil("max_tokens", "Cut"), madeUp("unknown"), failed({ api_error: "connection" })];
  expect((await runOn(away)).outcome).toMatchObject({ status: "failed", error: { code: "model_unavailable" } });
});

it.each([
  ["the plan's limit", [limit({})], 429, "model_rate_limited", "resets at 2027-01-01 00:00 UTC"],
  [
    "a limit beyond which is paid by use",
    [limit({ isUsingOverage: true })],
    429,
    "model_rate_limited",
    "Try again later",
  ],
  ["a limit that was lifted", [limit({}), limit({ status: "allowed" })], 429, "model_rate_limited", "Try again later"],
  ["a limit, and then another failure", [limit({}), ...said("Hello.")], 500, "model_unavailable", "could not get"],
])("says when a plan's limit resets where that is why: %s", async (_, events, status, code, message) => {
  const word = status === 429 ? "rate_limit" : "server_error";
  const { outcome } = await runOn([...events, madeUp(word), failed({ api_error_status: status })]);
  expect(outcome).toMatchObject({ error: { code, message: expect.stringContaining(message) } });
});
