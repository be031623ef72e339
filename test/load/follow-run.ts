/** Subscribes to a run and reads it to its end, through broken connections, by its cursor. */
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Owner } from "./owner.ts";
import { Reading } from "./reading.ts";

/** Pause before it comes back, in ms, and how often it does. */
const PAUSE_MS = 100;
const MAX_CONNECTIONS = 50;

/** A stream that is silent for this long is lost: the service sends a comment every 10 s. */
const MAX_SILENCE_MS = 60_000;

/** One connection for each stream. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

type FollowOptions = {
  readonly keepsFrames?: boolean;
  /** Goes away once it has this seq, and comes back. */
  readonly leavesAfter?: number;
  /** Told once, when the stream's headers are there. */
  readonly onJoined?: () => void;
};

/** Resolves with the run's end. @throws {Error} when it cannot be had in many tries. */
export const followRun = async (owner: Owner, runId: string, options: FollowOptions = {}): Promise<Reading> => {
  const reading = new Reading(options);
  let leavesAfter = options.leavesAfter;
  for (let connections = 1; connections <= MAX_CONNECTIONS; connections += 1) {
    const hasLeft = await followOnce(owner, runId, reading, { ...options, leavesAfter });
    if (reading.isEnded) return reading;
    if (hasLeft) leavesAfter = undefined;
    else owner.incidents.reconnects += 1;
    await delay(PAUSE_MS);
  }
  throw new Error(`Run ${runId} could not be followed to its end; ${reading.lastSeq} frames came.`);
};

type OnceOptions = { readonly leavesAfter: number | undefined; readonly onJoined?: () => void };

/** Whether it was this client that left. A connection that broke counts as ended. */
const followOnce = async (owner: Owner, runId: string, reading: Reading, options: OnceOptions): Promise<boolean> => {
  const cursor = reading.lastSeq === 0 ? {} : { "last-event-id": String(reading.lastSeq) };
  try {
    const response = await open(`${owner.url}/_framework/runs/${runId}/events`, { ...owner.headers, ...cursor });
    options.onJoined?.();
    return await drain(response, reading, options.leavesAfter);
  } catch (error) {
    if (error instanceof WrongAnswer) owner.incidents.add(error.message);
    return false;
  } finally {
    reading.drop();
  }
};

/** The product itself has answered, and not with a stream. */
class WrongAnswer extends Error {}

const open = (url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, timeout: MAX_SILENCE_MS }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      const isOurs = response.headers["x-request-id"] !== undefined;
      reject(isOurs ? new WrongAnswer(`GET ${url}: ${response.statusCode}`) : new Error("The proxy has lost it."));
    });
    sent.on("timeout", () => sent.destroy(new Error("It is silent.")));
    sent.on("error", reject);
    sent.end();
  });

const drain = (response: IncomingMessage, reading: Reading, leavesAfter: number | undefined): Promise<boolean> =>
  new Promise((resolve, reject) => {
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      reading.take(text);
      if (leavesAfter === undefined || reading.lastSeq < leavesAfter || reading.isEnded) return;
      response.destroy();
      resolve(true);
    });
    response.on("error", reject);
    response.on("end", () => resolve(false));
    response.on("close", () => reject(new Error("The connection broke.")));
  });
