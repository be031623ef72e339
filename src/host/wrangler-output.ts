/** What of wrangler's output is shown: all errors and warnings, and what the Worker logs; not wrangler's own chatter. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The request log (`[wrangler:info] GET / 200 OK`) and the news of reloads (`⎔ …`). */
const CHATTER = /^(\[wrangler:info\]|⎔) /;

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
  from.stderr.pipe(process.stderr, { end: false });
  return {
    startRelaying: () => {
      isHolding = false;
      heldLines.length = 0;
    },
    held: () => heldLines.map((line) => `${line}\n`).join(""),
    stopRelaying: () => {
      isHolding = true;
      from.stderr.unpipe(process.stderr).resume();
    },
  };
};
