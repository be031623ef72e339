/**
 * `model_timeout`: silence is counted in bytes. What comes of it is seen on real connections, with a limit of some ms in place of 60 s;
 * what must not be counted, with a clock that the test moves.
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { serverSentEvents } from "../../../src/model/anthropic/anthropic-model.ts";
import { IdleWatch, MAX_SILENCE_MS } from "../../../src/model/anthropic/idle-watch.ts";
import type { ModelFailure } from "../../../src/model/model-failure.ts";
import { ask, collect, modelAt } from "../../support/ask-model.ts";

/** For tests that wait for the failure. */
const SILENCE_MS = 60;

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

/** A body that a test feeds, read under a watch whose clock stands still but for what the test moves it. */
const readWithHeldClock = () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const watch = new IdleWatch(MAX_SILENCE_MS);
  onTestFinished(() => watch.end());
  const feeder = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const events = serverSentEvents(new ReadableStream({ start: feeder.resolve }), watch);
  const ping = async () => (await feeder.promise).enqueue(new TextEncoder().encode("event: ping\ndata: {}\n\n"));
  return { isAborted: () => watch.signal.aborted, events, ping };
};

it("takes pings as signs of life, and what follows the last one as silence", async () => {
  const { isAborted, events, ping } = readWithHeldClock();
  for (const _ of Array.from({ length: 6 })) {
    const next = events.next();
    await vi.advanceTimersByTimeAsync(0.75 * MAX_SILENCE_MS);
    await ping();
    await next;
  }
  void events.next();
  await vi.advanceTimersByTimeAsync(MAX_SILENCE_MS - 1);
  expect(isAborted()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isAborted()).toBe(true);
});

it("does not count the time in which the reader is busy", async () => {
  const { isAborted, events, ping } = readWithHeldClock();
  await ping();
  await events.next();
  await vi.advanceTimersByTimeAsync(1.5 * MAX_SILENCE_MS);
  void events.next();
  await vi.advanceTimersByTimeAsync(MAX_SILENCE_MS - 1);
  expect(isAborted()).toBe(false);
});
