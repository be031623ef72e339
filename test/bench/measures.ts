/** What is timed, each on either side, by the same client. */
import { subscribe } from "./http-client.ts";
import type { Subject } from "./subject.ts";

/** Takes one sample. */
export type Measure = (subject: Subject) => Promise<number>;

/**
 * Deltas delivered per second: deltas × subscribers, over the time from the POST until the last subscriber has `run_end`.
 * All subscribe before the first delta.
 */
export const fanOut =
  (deltas: number, subscribers: number): Measure =>
  async (subject) => {
    const run = await subject.prepareRun({ deltas, subscribers });
    const startMs = performance.now();
    const { liveUrl } = await run.start();
    const streams = await Promise.all(Array.from({ length: subscribers }, () => subscribe(liveUrl)));
    await run.release();
    await Promise.all(streams.map((stream) => stream.ended));
    return (deltas * subscribers * 1_000) / (performance.now() - startMs);
  };

/** Median of `count` turn starts in ms, from the POST to its parsed answer, each on a thread of its own. */
export const turnStart =
  (count: number): Measure =>
  async (subject) => {
    const durations: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const turn = await subject.prepareTurn();
      const startMs = performance.now();
      await turn.start();
      durations.push(performance.now() - startMs);
      await turn.settle();
    }
    return median(durations);
  };

/**
 * Median time in ms from the POST of a turn until the first event of the model's answer is here, each on a thread of its
 * own, less the median time in which the model answers a request of ours with its first byte. Events that need no model
 * are there sooner, and do not count.
 */
export const firstEvent =
  (count: number): Measure =>
  async (subject) => {
    const durations: number[] = [];
    const modelDurations: number[] = [];
    for (let index = 0; index < count; index += 1) {
      modelDurations.push(await subject.modelFirstByteMs());
      const run = await subject.prepareRun({ deltas: 1, subscribers: 1 });
      await run.release();
      const startMs = performance.now();
      const { liveUrl } = await run.start();
      const stream = await subscribe(liveUrl);
      await stream.answered;
      durations.push(performance.now() - startMs);
      await stream.ended;
    }
    return median(durations) - median(modelDurations);
  };

/** CPU time in ms that a run of `deltas` deltas costs the server, with so many subscribers. */
export const fanOutCpu =
  (deltas: number, subscribers: number): Measure =>
  async (subject) => {
    const beforeMs = subject.cpuMs();
    await fanOut(deltas, subscribers)(subject);
    return subject.cpuMs() - beforeMs;
  };

/** Median of `count` answers of the list of stocks, in ms. */
export const listRead =
  (count: number): Measure =>
  async (subject) => {
    const durations: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startMs = performance.now();
      await subject.readList();
      durations.push(performance.now() - startMs);
    }
    return median(durations);
  };

/** Time in ms until a subscriber that comes after the end has the whole run; median of `count` subscribers. */
export const lateJoin =
  (deltas: number, count: number): Measure =>
  async (subject) => {
    const run = await subject.prepareRun({ deltas, subscribers: 1 });
    const { liveUrl, replayUrl } = await run.start();
    const live = await subscribe(liveUrl);
    await run.release();
    await live.ended;
    const durations: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startMs = performance.now();
      await (await subscribe(replayUrl)).ended;
      durations.push(performance.now() - startMs);
    }
    return median(durations);
  };

/** Time in ms from the first POST until the last of `turns` runs, started at once on threads of their own, has ended. */
export const manyTurns =
  (turns: number, deltas: number): Measure =>
  async (subject) => {
    const runs = await Promise.all(Array.from({ length: turns }, () => subject.prepareRun({ deltas, subscribers: 1 })));
    // Released beforehand: the model answers as soon as it is asked.
    await Promise.all(runs.map((run) => run.release()));
    const startMs = performance.now();
    await Promise.all(
      runs.map(async (run) => {
        const { liveUrl } = await run.start();
        await (await subscribe(liveUrl)).ended;
      }),
    );
    return performance.now() - startMs;
  };

/** The middle one, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
};
