/** What of wrangler's output is shown: errors and warnings but for two, and what the Worker logs; not its own chatter. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The request log (`[wrangler:info] GET / 200 OK`) and the news of reloads (`⎔ …`). */
const CHATTER = /^(\[wrangler:info\]|⎔) /;

/** Locally no cron fires, which nobody here waits for: what it does is also done at the next sign-in. */
const CRON_NOTE = /Scheduled Workers are not automatically triggered/;

/**
 * What workerd says of itself when somebody closes a page to which an answer streams
 * (https://github.com/cloudflare/workers-sdk/issues/11071). A rejection that nobody handles reads `Uncaught (in promise)`.
 */
const READER_LEFT = /Uncaught Error: Network connection lost\./;

/** Lines that go on a warning or an error of wrangler. */
const GOES_ON = /^( {2}|$)/;

/** Standard output of a wrangler: held back while it starts, relayed line by line from then on. */
export type OutputRelay = {
  /** Drops what was held back: bindings and addresses, of no use once the start has worked. */
  startRelaying(): void;
  /** What is held back, for a start that failed. */
  held(): string;
  /** Drops what still comes: a process group that is being ended complains about its own members. */
  stopRelaying(): void;
};

/** Relays both streams to this process's. Standard error goes through at once: that is where warnings and errors come. */
export const relayOutput = (from: { stdout: Readable; stderr: Readable }): OutputRelay => {
  const heldLines: string[] = [];
  let isHolding = true;
  createInterface(from.stdout).on("line", (line) => {
    if (isHolding) heldLines.push(line);
    else if (!CHATTER.test(line)) process.stdout.write(`${line}\n`);
  });
  let isDropping = false;
  let isStopped = false;
  createInterface(from.stderr).on("line", (line) => {
    isDropping = CRON_NOTE.test(line) || READER_LEFT.test(line) || (isDropping && GOES_ON.test(line));
    if (!isDropping && !isStopped) process.stderr.write(`${line}\n`);
  });
  return {
    startRelaying: () => {
      isHolding = false;
      heldLines.length = 0;
    },
    held: () => heldLines.map((line) => `${line}\n`).join(""),
    stopRelaying: () => {
      isHolding = true;
      isStopped = true;
    },
  };
};
