/** The Anthropic client inside workerd, whose `fetch`, streams and timers are not Node's. */
import { expect, inject, it } from "vitest";
import { demoModel } from "../../src/model/demo/demo-model.ts";
import { ask, collect, modelAt } from "../support/ask-model.ts";
import { burst, say } from "../support/model-script.ts";
import { cutMidEvent, holdBefore, holdMidStream, overloaded } from "../support/model-troubles.ts";
import { scriptModel } from "../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

it("streams a message to its end", async () => {
  const script = await scriptModel(modelUrl, [burst(2_000)]);
  const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
  expect(events.filter((event) => event.type === "content_block_delta")).toHaveLength(2_000);
  expect(events.at(-1)).toEqual({ type: "message_stop" });
});

it.each([
  ["cut connection", cutMidEvent("Hel"), "model_unavailable"],
  ["529", overloaded(), "model_overloaded"],
])("gives a %s its failure code", async (_name, reply, code) => {
  const script = await scriptModel(modelUrl, [reply]);
  await expect(collect(modelAt(modelUrl), ask(script.prompt("Hi")))).rejects.toMatchObject({ code });
});

it.each([
  ["before the headers", holdBefore(say("never sent"))],
  ["in the middle of the stream", holdMidStream("Hel", "lo")],
])("gives up on a silence %s and closes the connection", async (_name, reply) => {
  const script = await scriptModel(modelUrl, [reply]);
  const collected = collect(modelAt(modelUrl, 1_000), ask(script.prompt("Hi")));
  await expect(collected).rejects.toMatchObject({ code: "model_timeout", isRetryable: true });
  await script.reaches(1, "client_left");
});

it.each([
  ["before the headers", holdBefore(say("never sent"))],
  ["in the middle of the stream", holdMidStream("Hel", "lo")],
])("ends quietly at an abort %s and closes the connection", async (_name, reply) => {
  const script = await scriptModel(modelUrl, [reply]);
  const abort = new AbortController();
  const collected = collect(modelAt(modelUrl), ask(script.prompt("Hi")), abort.signal);
  await script.reaches(1, "held");
  abort.abort();
  expect((await collected).map((event) => event.type)).not.toContain("message_stop");
  await script.reaches(1, "client_left");
});

it("runs the demo model, which yields between its events", async () => {
  const order: string[] = [];
  await Promise.all([
    collect(demoModel, ask("hello"), undefined, () => order.push("a")),
    collect(demoModel, ask("hello"), undefined, () => order.push("b")),
  ]);
  expect(order.slice(0, 4)).toEqual(["a", "b", "a", "b"]);
});
