/** What a client of the Messages API can meet, and the failure it becomes (api.md §3). All over real HTTP. */
import { describe, expect, inject, it } from "vitest";
import { retryAfterMs } from "../../../src/model/anthropic/anthropic-failure.ts";
import { ModelFailure } from "../../../src/model/model-failure.ts";
import { ask, collect, modelAt } from "../../support/ask-model.ts";
import { startMessagesApiServer } from "../../support/messages-api-server.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import {
  badGatewayRequest,
  cutMidEvent,
  cutUpload,
  endEarly,
  errorMidStream,
  fail,
  fromElsewhere,
  malformed,
  overloaded,
  promptTooLong,
  rateLimited,
  serverError,
  spendLimitReached,
  unauthorized,
} from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

const INVALID = "model_invalid_request";

/** As measured: https://github.com/docker/docker-agent/issues/569. */
const TOO_LONG =
  "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again";

const PAGE: Reply = { type: "failure", status: 502, headers: {}, body: "<html>" };

const failureOf = async (collected: Promise<unknown>): Promise<ModelFailure> => {
  const error = await collected.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelFailure);
  return error instanceof ModelFailure ? error : expect.unreachable();
};

const meet = async (reply: Reply): Promise<ModelFailure> => {
  const script = await scriptModel(modelUrl, [reply]);
  return failureOf(collect(modelAt(modelUrl), ask(script.prompt("Hi"))));
};

describe("a refused request", () => {
  it.each<[string, Reply, string, boolean]>([
    ["400", fail(400, "invalid_request_error", "tools.0: bad"), "model_invalid_request", false],
    ["400, prompt is too long", promptTooLong(), "context_too_long", false],
    ["400, too long with the answer", fail(400, "invalid_request_error", TOO_LONG), "context_too_long", false],
    ["409", fail(409, "conflict_error", "Busy"), "model_unavailable", true],
    ["413", fail(413, "request_too_large", "Too large"), "context_too_long", false],
    ["422", fail(422, "invalid_request_error", "No"), "model_invalid_request", false],
    ["429", rateLimited(), "model_rate_limited", true],
    ["500", serverError(), "model_unavailable", true],
    ["503", fail(503, "api_error", "Down"), "model_unavailable", true],
    ["529", overloaded(), "model_overloaded", true],
    ["an HTML page from in between", PAGE, "model_unavailable", true],
  ])("%s", async (_name, reply, code, isRetryable) => {
    expect(await meet(reply)).toMatchObject({ code, isRetryable });
  });
});

const KEY_REFUSED =
  "The model provider did not accept the credential. Set ANTHROPIC_API_KEY to a key from the provider's console.";
const KEY_NOT_ALLOWED =
  "The key may not use this model. Allow it in the provider's console, or set AGENT_MODEL to another model.";
const PLACE_REFUSED =
  "The model provider refused the place that the request came from, not the key. It does not serve every country, and a Worker may run in a neighbouring one.";
const UNPAID = "The model provider's account has a billing problem. Add credit in the provider's console.";
const DISABLED = "The model provider has disabled the account of this key. Check the provider's console.";
const ENCRYPTED = "The provider cannot use the account's encryption key. Check your key management.";
const SPENT = "The account's spend limit is reached. Raise it in the provider's console.";
const UNKNOWN_MODEL = "The model provider does not know this model. Check AGENT_MODEL.";

const badRequest = (text: string, code?: string): Reply =>
  fail(400, "invalid_request_error", text, code === undefined ? {} : { details: { error_code: code } });

describe("a refusal for the account's sake", () => {
  it.each<[string, Reply, string, string]>([
    ["401", unauthorized(), "model_auth", KEY_REFUSED],
    [
      "401 for a subscription's token",
      fail(401, "authentication_error", "OAuth authentication is currently not supported."),
      "model_auth",
      KEY_REFUSED,
    ],
    [
      "400 for a subscription's token",
      badRequest(
        "This credential is only authorized for use with Claude Code and cannot be used for other API requests.",
      ),
      "model_auth",
      KEY_REFUSED,
    ],
    ["400 that speaks of the API key", badRequest("Your API key is not active."), "model_auth", KEY_REFUSED],
    [
      "400 for a key whose creator has left",
      badRequest("Not a member.", "claude_code_key_creator_not_member"),
      "model_auth",
      KEY_REFUSED,
    ],
    [
      "403 for a token without the scope",
      fail(403, "permission_error", "OAuth token does not meet scope requirement any_of(user:inference)"),
      "model_auth",
      KEY_REFUSED,
    ],
    [
      "403",
      fail(403, "permission_error", "Your API key does not have permission to use the specified resource."),
      "model_auth",
      KEY_NOT_ALLOWED,
    ],
    ["403 without a reason", fail(403, "permission_error", "No"), "model_auth", KEY_NOT_ALLOWED],
    ["403 for a country that is not served", fromElsewhere(), "model_auth", PLACE_REFUSED],
    ["403 that is a page of the edge", fromElsewhere("<title>403</title>403 Forbidden"), "model_auth", PLACE_REFUSED],
    ["402", fail(402, "billing_error", "Unpaid"), "model_auth", UNPAID],
    [
      "400 for want of credit",
      badRequest("Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."),
      "model_auth",
      UNPAID,
    ],
    ["400 for a disabled account", badRequest("This organization has been disabled."), "model_auth", DISABLED],
    ["400 for a disabled key of one's own", badRequest("Off.", "cmek_key_disabled"), "model_auth", ENCRYPTED],
    ["400 for one out of reach", badRequest("Blocked.", "cmek_key_network_blocked"), "model_auth", ENCRYPTED],
    ["400 for an account on hold", badRequest("On hold.", "organization_on_hold"), "model_auth", DISABLED],
    [
      "400 for a limit that the account set itself",
      badRequest("You have reached your specified workspace API usage limits. You will regain access on 2026-12-01."),
      "model_rate_limited",
      SPENT,
    ],
    ["429 of a spend limit", spendLimitReached(), "model_rate_limited", SPENT],
    ["400 for the model's name", badRequest("model: String should have at least 1 character"), INVALID, UNKNOWN_MODEL],
    ["400 for an invalid name", badRequest("system: Invalid model name"), INVALID, UNKNOWN_MODEL],
    ["404 for the model's name", fail(404, "not_found_error", "model: nope"), INVALID, UNKNOWN_MODEL],
  ])("%s names the remedy, is not retried and has nothing to do with the conversation", async (_name, reply, ...is) => {
    const [code, message] = is;
    expect(await meet(reply)).toMatchObject({ code, message, isRetryable: false, mayBeConversation: false });
  });
});

describe("a refusal that another conversation may not meet", () => {
  it.each<[string, Reply]>([
    ["400", badRequest("messages.1.content.0: thinking blocks are bound to a different conversation")],
    ["400 without words", badRequest("Error")],
    ["400 that quotes the filter's words", badRequest("messages.2: 'Output blocked by content filtering policy'")],
    ["400 that quotes what was said of a key", badRequest("messages.2.content: 'my API key' is not allowed here")],
    ["invalid_request_error inside the stream", errorMidStream("Hel", "invalid_request_error")],
  ])("is %s", async (_name, reply) => {
    expect(await meet(reply)).toMatchObject({ code: INVALID, isRetryable: false, mayBeConversation: true });
  });

  it.each<[string, Reply]>([
    ["a prompt that is too long", promptTooLong()],
    ["413", fail(413, "request_too_large", "Too large")],
    ["422", fail(422, "invalid_request_error", "No")],
    ["429", rateLimited()],
    ["500", serverError()],
    ["529", overloaded()],
    ["a cut connection", cutMidEvent("Hel")],
    ["overloaded_error inside the stream", errorMidStream("Hel")],
    ["authentication_error inside the stream", errorMidStream("Hel", "authentication_error")],
  ])("is not %s", async (_name, reply) => {
    expect(await meet(reply)).toMatchObject({ mayBeConversation: false });
  });
});

describe("an answer that the provider's filter stops", () => {
  const BLOCKED = "Output blocked by content filtering policy";

  it.each<[string, Reply]>([
    ["before it begins", badRequest(BLOCKED)],
    ["in its middle", errorMidStream("MIT Lic", "invalid_request_error", BLOCKED)],
  ])("%s says what to ask for instead, and blames nothing that was said before", async (_name, reply) => {
    expect(await meet(reply)).toMatchObject({
      ...{ code: INVALID, isRetryable: false, mayBeConversation: false },
      message: "The provider's filter stopped the answer. Ask for it in another way, or in smaller parts.",
    });
  });
});

describe("a refusal that may be about the way there", () => {
  it.each<[string, Reply, boolean]>([
    ["the body ended too early", cutUpload(), true],
    ["it is not the API's own", badGatewayRequest(), true],
    ["the body is no JSON, whole as it is", badRequest("The request body is not valid JSON: no low surrogate"), false],
    ["something in the conversation is refused", badRequest("messages.1: no"), false],
    ["the model is not known", fail(404, "not_found_error", "model: nope"), false],
  ])("where %s", async (_name, reply, isUnclear) => {
    expect(await meet(reply)).toMatchObject({ isUnclear });
  });
});

describe("a stream that fails after its 200", () => {
  it.each<[string, Reply, string, boolean]>([
    ["a connection cut inside an event", cutMidEvent("Hel"), "model_unavailable", true],
    ["a connection cut before the headers", { type: "stream", frames: [{ type: "cut" }] }, "model_unavailable", true],
    ["an end without message_stop", endEarly("Hel"), "model_unavailable", true],
    ["data that is not JSON", malformed("Hel"), "model_unavailable", true],
    ["a known kind of another shape", badShape(), "model_unavailable", true],
    ["an event without a kind", { type: "stream", frames: [raw("{}")] }, "model_unavailable", true],
    ["overloaded_error", errorMidStream("Hel"), "model_overloaded", true],
    ["api_error", errorMidStream("Hel", "api_error"), "model_unavailable", true],
    ["rate_limit_error", errorMidStream("Hel", "rate_limit_error"), "model_rate_limited", true],
    ["invalid_request_error", errorMidStream("Hel", "invalid_request_error"), "model_invalid_request", false],
    ["an error type of the future", errorMidStream("Hel", "solar_flare_error"), "model_unavailable", true],
  ])("%s", async (_name, reply, code, isRetryable) => {
    expect(await meet(reply)).toMatchObject({ code, isRetryable });
  });

  it.each<[string, Reply]>([
    ["a cut", cutMidEvent("Hel")],
    ["broken data", malformed("Hel")],
    ["an error event", errorMidStream("Hel")],
  ])("passes on what had arrived before %s", async (_name, reply) => {
    const script = await scriptModel(modelUrl, [reply]);
    const kinds: string[] = [];
    const asked = ask(script.prompt("Hi"));
    await failureOf(collect(modelAt(modelUrl), asked, undefined, (event) => kinds.push(event.type)));
    expect(kinds).toEqual(["message_start", "content_block_start", "content_block_delta"]);
  });
});

describe("a retry-after", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["in seconds", { "retry-after": "7" }, 7_000],
    ["in milliseconds, which win", { "retry-after": "7", "retry-after-ms": "250" }, 250],
    ["as a date that has passed", { "retry-after": "Fri, 20 Nov 2020 10:00:00 GMT" }, 0],
    ["that cannot be read", { "retry-after": "soon" }, undefined],
    ["that is absent", {}, undefined],
  ])("%s", async (_name, headers, expected) => {
    expect((await meet(rateLimited(headers))).retryAfterMs).toBe(expected);
  });
});

it("counts a retry-after that is a date from now on", () => {
  const headers = new Headers({ "retry-after": "Fri, 20 Nov 2026 10:00:07 GMT" });
  expect(retryAfterMs(headers, Date.parse("2026-11-20T10:00:00Z"))).toBe(7_000);
});

describe("a failure's message", () => {
  it.each([promptTooLong(), fail(422, "invalid_request_error", "No"), badRequest("Error")])(
    "says what to do about a conversation that will not do, %#",
    async (reply) => expect((await meet(reply)).message).toMatch(/\. (Send|Word) .+, or start a new chat\.$/),
  );

  it("holds nothing of the provider's body; the cause does", async () => {
    const failure = await meet(fail(400, "invalid_request_error", "messages.3: secret prompt of somebody"));
    expect(failure.message).toMatch(/^The model rejected this request\. /);
    expect(String(failure.cause)).toContain("secret prompt of somebody");
  });

  it("holds no key, whatever the server echoes", async () => {
    const failure = await meet(fail(401, "authentication_error", "invalid x-api-key: test-key"));
    expect(failure.message).not.toContain("test-key");
  });
});

describe("no server", () => {
  it("is model_unavailable when the connection is refused", async () => {
    const server = await startMessagesApiServer();
    await server.close();
    const failure = await failureOf(collect(modelAt(server.url), ask("Hi")));
    expect(failure).toMatchObject({ code: "model_unavailable", isRetryable: true });
  });
});

describe("one call", () => {
  it("is one request: retrying is the loop's business", async () => {
    const script = await scriptModel(modelUrl, [overloaded(), overloaded()]);
    await failureOf(collect(modelAt(modelUrl), ask(script.prompt("Hi"))));
    expect(await script.requests()).toHaveLength(1);
  });

  it("neither asks nor fails before it is iterated", async () => {
    const [script, other] = [await scriptModel(modelUrl, [overloaded()]), await scriptModel(modelUrl, [overloaded()])];
    const stream = modelAt(modelUrl).stream(ask(script.prompt("Hi")), new AbortController().signal);
    // A request that it had made would have come by the end of another one.
    await failureOf(collect(modelAt(modelUrl), ask(other.prompt("Hi"))));
    expect(await script.requests()).toEqual([]);
    const next = stream[Symbol.asyncIterator]().next();
    expect(await failureOf(next)).toMatchObject({ code: "model_overloaded" });
    expect(await script.requests()).toHaveLength(1);
  });
});

function raw(data: string): { type: "raw"; text: string } {
  return { type: "raw", text: `event: message_start\ndata: ${data}\n\n` };
}

function badShape(): Reply {
  return { type: "stream", frames: [raw('{"type":"message_start","message":{"model":7}}')] };
}
