/** What the real SDK's result says where its model stopped by itself, and of a prompt that is too long: the Worker's codes go by it. */
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { say } from "../support/model-script.ts";
import type { Reply } from "../support/model-server/reply.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const refused = (status: number, type: string, message: string): Reply => ({
  ...{ type: "failure", status, headers: {} },
  body: { type: "error", error: { type, message }, request_id: "req_1" },
});

const cut = (stopReason: string) => say("Cut", { stopReason });

it.each([
  ["max_tokens", cut("max_tokens"), { api_error: "max_output_tokens" }],
  ["model_context_window_exceeded", cut("model_context_window_exceeded"), { api_error: "max_output_tokens" }],
  ["refusal", cut("refusal"), { stop_reason: "refusal" }],
  [
    "too-long",
    refused(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"),
    { api_error_status: 400, terminal_reason: "prompt_too_long", result: expect.stringMatching(/^Prompt is too long/) },
  ],
  [
    "not-found",
    refused(404, "not_found_error", "model: none"),
    { api_error_status: 404, terminal_reason: "api_error" },
    "model_not_found",
  ],
  ["no-credit", refused(402, "billing_error", "Your credit balance is too low."), { api_error_status: 402 }],
  ["unreadable", refused(422, "invalid_request_error", "Unreadable."), { api_error_status: 422 }],
])("an error result says: %s", async (key, reply, said, word = expect.anything()) => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  // More than it asks for.
  await provider.script(key, [reply, reply, reply, reply, reply, reply, reply, reply, reply]);
  const turn = { turnId: key, sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const lines = await host.turn({ ...turn, begin: { type: "new", prompt: `[script:${key}] go` } });
  const messages = lines.flatMap((line) => (line.type === "message" ? line.message : []));
  expect(messages.filter(({ type }) => type === "result")).toMatchObject([{ is_error: true, ...said }]);
  expect(messages).toContainEqual(expect.objectContaining({ type: "assistant", error: word }));
});

it("what a model refuses is asked of no other model, and not once more", async () => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  await provider.script("refused", [cut("refusal"), say("Of another one."), say("Of a third.")]);
  const turn = { turnId: "refused", sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  await host.turn({ ...turn, begin: { type: "new", prompt: "[script:refused] go" } });
  const asked = (await provider.requests("refused")).map(({ body }) => Reflect.get(Object(body), "model"));
  expect(asked).toEqual([MODEL]);
});
