/** The cron of the dev command, asked of a server that counts. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { minute, runCronEachMinute } from "../../../src/cli/dev/cron-clock.ts";

const serve = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port }: AddressInfo = Object(server.address());
  return port;
};

it("runs at once and again and again, also after a run that broke, until it is stopped", async () => {
  const stop = new AbortController();
  const paths: string[] = [];
  const port = await serve((request, response) => {
    paths.push(request.url ?? "");
    if (paths.length === 2) return void request.socket.destroy();
    if (paths.length === 4) stop.abort();
    response.writeHead(paths.length === 1 ? 500 : 200).end("ok");
  });
  const answers: string[] = [];
  const onAnswer = () => void answers.push("answered");
  await runCronEachMinute({ port, secret: "a secret", onAnswer }, stop.signal, async () => undefined);
  expect(answers).toHaveLength(4);
  expect(paths).toEqual(Array.from({ length: 4 }, () => "/cdn-cgi/local/scheduled?cron=a%20secret"));
});

it("ends at once while it waits", async () => {
  const stop = new AbortController();
  let runs = 0;
  const port = await serve((_, response) => {
    runs += 1;
    response.end("ok");
  });
  await runCronEachMinute({ port, secret: "a secret", onAnswer: () => {} }, stop.signal, (signal) => {
    const waiting = minute(signal);
    stop.abort();
    return waiting;
  });
  expect(runs).toBe(1);
});
