/** The model server as tests rely on it: routing by key, holds, and loud failure where a test is wrong. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, collect, modelAt } from "../../support/ask-model.ts";
import { type MessagesApiServer, startMessagesApiServer } from "../../support/messages-api-server.ts";
import { say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

// One of its own: these tests break rules on purpose.
let server: MessagesApiServer;
beforeAll(async () => {
  server = await startMessagesApiServer();
});
afterAll(() => server.close());

it("plays each script to the requests that carry its key, in order", async () => {
  const model = modelAt(server.url);
  const first = await scriptModel(server.url, [say("1"), say("2")]);
  const second = await scriptModel(server.url, [say("3")]);
  const answers = [
    await collect(model, ask(first.prompt("Hi"))),
    await collect(model, ask(second.prompt("Hi"))),
    await collect(model, ask(first.prompt("Hi"))),
  ];
  const texts = answers.map((events) =>
    events.flatMap((event) =>
      event.type === "content_block_delta" && event.delta.type === "text_delta" ? [event.delta.text] : [],
    ),
  );
  expect(texts).toEqual([["1"], ["3"], ["2"]]);
});

it("follows the newest key of a conversation", async () => {
  const old = await scriptModel(server.url, [say("old")]);
  const current = await scriptModel(server.url, [say("new")]);
  const conversation = [
    { role: "user" as const, content: [{ type: "text" as const, text: old.prompt("Hi") }] },
    { role: "assistant" as const, content: [{ type: "text" as const, text: "old" }] },
    { role: "user" as const, content: [{ type: "text" as const, text: current.prompt("And?") }] },
  ];
  await collect(modelAt(server.url), ask("", { messages: conversation }));
  expect([await old.requests(), await current.requests()].map((requests) => requests.length)).toEqual([0, 1]);
});

it("goes on with a held reply at its release, also when that comes first", async () => {
  const script = await scriptModel(server.url, [holdMidStream("Hel", "lo"), holdMidStream("Hel", "lo")]);
  const model = modelAt(server.url);
  await script.release();
  await collect(model, ask(script.prompt("Hi")));
  const second = collect(model, ask(script.prompt("Hi")));
  await script.reaches(2, "held");
  await script.release();
  expect((await second).at(-1)?.type).toBe("message_stop");
  expect((await script.requests()).map((request) => request.state)).toEqual(["answered", "answered"]);
});

it("refuses for good, and files, a request beyond the end of its script", async () => {
  const script = await scriptModel(server.url, []);
  await expect(collect(modelAt(server.url), ask(script.prompt("Hi")))).rejects.toMatchObject({ isRetryable: false });
  expect(await script.violations()).toEqual(["the script has no reply for request 1"]);
});

it("refuses, and files, a request that names no script", async () => {
  await expect(collect(modelAt(server.url), ask("Hi"))).rejects.toMatchObject({ code: "model_invalid_request" });
  const response = await fetch(`${server.url}/violations`);
  expect(await response.json()).toContainEqual({
    key: null,
    problem: "a request without [script:<key>] in any user text",
  });
});

it("refuses, and files, what the API would refuse", async () => {
  const script = await scriptModel(server.url, [say("never sent")]);
  const broken = ask(script.prompt("Hi"), { maxTokens: 0 });
  await expect(collect(modelAt(server.url), broken)).rejects.toMatchObject({ code: "model_invalid_request" });
  expect(await script.violations()).toEqual([expect.stringContaining("max_tokens")]);
});
