/** Times a cheap request all the time; the answers between two looks are one figure. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";

/** Durations of the health route, in ms; zeros where nothing was answered. */
export type Stall = { readonly p50: number; readonly p99: number; readonly max: number; readonly count: number };

/** A probe that runs. */
export type StallProbe = {
  /** What was measured since the last look, or since the start. */
  look(): Promise<Stall>;
  stop(): Promise<unknown>;
};

/** Starts it on the health route of `siteUrl`. */
export const startStallProbe = (siteUrl: string): StallProbe => {
  const thread = new Worker(new URL("./probe-thread.ts", import.meta.url), {
    workerData: `${siteUrl}/_framework/health`,
  });
  return {
    look: async () => {
      const answer = once(thread, "message");
      thread.postMessage("look");
      const [durations] = z.tuple([z.array(z.number())]).parse(await answer);
      return stallOf(durations);
    },
    stop: () => thread.terminate(),
  };
};

const stallOf = (durations: readonly number[]): Stall => {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length };
};
