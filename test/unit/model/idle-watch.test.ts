/** `model_timeout`: silence is counted in bytes, on real connections, with limits of some ms in place of 60 s. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import type { ModelFailure } from "../../../src/model/model-failure.ts";
import { ask, collect, modelAt } from "../../support/ask-model.ts";
import { say } from "../../support/model-script.ts";
import { event } from "../../support/model-server/message-frames.ts";
import type { Frame, Reply } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

/** For tests that wait for the failure. */
const SILENCE_MS = 60;
/** For tests in which it must not come, however busy the machine. */
const GENEROUS_SILENCE_MS = 3_000;

const timeout: Partial<ModelFailure> = {
  code: "model_timeout",
  isRetryable: true,
  message: "The model sent nothing for 0.06 seconds.",
};

/**
 * A provider of this test's own, which answers as told and then falls silent. `closed` resolves once no connection is open. A busy machine may
 * give up before it has sent its request: that is a closed connection too, of which the model server would never hear.
 */
const silentProvider = async (answer: RequestListener) => {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const fails = expect(collect(modelAt(`http://127.0.0.1:${port}`, SILENCE_MS), ask("Hi"))).rejects.toMatchObject(
    timeout,
  );
  return { fails, closed: () => server[Symbol.asyncDispose]() };
};

it("fails when no headers come, and closes the connection", async () => {
  const { fails, closed } = await silentProvider(() => {});
  await fails;
  await closed();
});

it("fails when the stream falls silent, and closes the connection", async () => {
  const { fails, closed } = await silentProvider((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("event: ping\ndata: {}\n\n");
  });
  await fails;
  await closed();
});

it("fails when a refusal falls silent before its end, and closes the connection", async () => {
  const { fails, closed } = await silentProvider((_request, response) => {
    response.writeHead(529).write('{"type":"error"');
  });
  await fails;
  await closed();
});

it("takes pings as signs of life", async () => {
  const { frames } = say("Hello");
  const pings = Array.from({ length: 6 }, (): Frame[] => [
    event("ping"),
    { type: "pause", ms: GENEROUS_SILENCE_MS / 4 },
  ]).flat();
  const slow: Reply = { type: "stream", frames: [...frames.slice(0, 1), ...pings, ...frames.slice(1)] };
  const script = await scriptModel(modelUrl, [slow]);
  const events = await collect(modelAt(modelUrl, GENEROUS_SILENCE_MS), ask(script.prompt("Hi")));
  expect(events.at(-1)).toEqual({ type: "message_stop" });
});

it("does not count the time in which the reader is busy", async () => {
  const script = await scriptModel(modelUrl, [say("Hello", { deltas: 5, delayMs: 1 })]);
  const stream = modelAt(modelUrl, GENEROUS_SILENCE_MS).stream(ask(script.prompt("Hi")), new AbortController().signal);
  const events = stream[Symbol.asyncIterator]();
  await events.next();
  await script.reaches(1, "answered");
  await setTimeout(1.5 * GENEROUS_SILENCE_MS);
  await expect(events.next()).resolves.toMatchObject({ done: false });
  await events.return?.();
});
