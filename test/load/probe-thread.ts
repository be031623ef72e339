/**
 * Requests the health route every 100 ms, whether or not the last request was answered, and times the responses: how long a cheap
 * request waits while the event loop of workerd is busy. In a worker of its own, so that the load's clients do not delay it.
 */
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

const PERIOD_MS = 100;

const url = z.string().parse(workerData);
const agent = new Agent({ keepAlive: true });

let durations: number[] = [];

const probe = (): void => {
  const startMs = performance.now();
  const sent = request(url, { agent }, (response) => {
    response.resume();
    response.on("end", () => {
      if (response.statusCode === 200) durations.push(performance.now() - startMs);
    });
  });
  // A connection that the proxy drops says nothing about the loop.
  sent.on("error", () => undefined);
  sent.end();
};

setInterval(probe, PERIOD_MS);
parentPort?.on("message", () => {
  parentPort?.postMessage(durations);
  durations = [];
});
