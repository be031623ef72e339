/**
 * Measures how soon a turn begins under each harness. All sides take turns, one turn each: the bare Worker, our own loop, the
 * vendor's SDK by itself, and the SDK as the product runs it. What the scripted model takes to answer, some ms, is in all but the first.
 */
import { join } from "node:path";
import { findSdk } from "../../../src/harness-host/find-sdk.ts";
import { startFloor } from "../floor-subject.ts";
import { subscribe, subscribeFromStart } from "../http-client.ts";
import { startProduct } from "../product-subject.ts";
import type { Result } from "../report.ts";
import type { Stops } from "../stops.ts";
import type { Subject } from "../subject.ts";
import { openBareSdk } from "./bare-sdk.ts";

/** Where `npm ci --prefix test/agent-sdk` puts the SDK. */
const SDK_DIR = join(import.meta.dirname, "../../agent-sdk");

/** Turns of each side in a round. A turn is a sample. */
const TURNS = 3;

/** In a run of its own: the shortest that there is. */
const RUN = { deltas: 1, subscribers: 1 };

/** What a turn took, in ms from its POST. */
type Begun = { readonly startMs: number; readonly textMs: number };

/** Times a turn from its POST to `run_start`, and to the model's first text. */
const beginTurn = async (product: Subject): Promise<Begun> => {
  const run = await product.prepareRun(RUN);
  await run.release();
  const postedMs = performance.now();
  const { liveUrl } = await run.start();
  const stream = await subscribeFromStart(liveUrl);
  await stream.began;
  const startMs = performance.now() - postedMs;
  await stream.answered;
  const textMs = performance.now() - postedMs;
  await stream.ended;
  return { startMs, textMs };
};

/** The bare Worker's first event. */
const beginBare = async (floor: Subject): Promise<number> => {
  const run = await floor.prepareRun(RUN);
  const postedMs = performance.now();
  const stream = await subscribe((await run.start()).liveUrl);
  await stream.answered;
  const durationMs = performance.now() - postedMs;
  await stream.ended;
  return durationMs;
};

const noSamples = (): Result["samples"] => ({ floor: [], product: [] });

/** Runs `rounds` rounds after one that warms up. Says in a line when the SDK is not installed. */
export const benchHarnesses = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const sdk = findSdk([SDK_DIR]);
  if (sdk === undefined) {
    process.stderr.write("harnesses: left out, since `npm ci --prefix test/agent-sdk` has not installed the SDK\n");
    return [];
  }
  const started = async <Some extends { stop(): Promise<unknown> }>(start: Promise<Some>): Promise<Some> => {
    const subject = await start;
    stops.add(subject.stop);
    return subject;
  };
  const bareWorker = await started(startFloor());
  const ownLoop = await started(startProduct());
  const agentSdk = await started(startProduct({ sdkDir: SDK_DIR }));
  const bareSdk = await started(openBareSdk(sdk, agentSdk.modelUrl));
  const of = {
    ...{ ownStart: noSamples(), ownText: noSamples(), sdkStart: noSamples(), sdkText: noSamples() },
    ...{ sdkProcess: noSamples() },
  };
  for (let turn = 0; turn < (rounds + 1) * TURNS; turn += 1) {
    process.stderr.write(`harnesses, turn ${turn + 1} of ${(rounds + 1) * TURNS}\n`);
    const bareMs = await beginBare(bareWorker);
    const own = await beginTurn(ownLoop);
    const alone = await bareSdk.start();
    const hosted = await beginTurn(agentSdk);
    if (turn < TURNS) continue;
    for (const samples of [of.ownStart, of.ownText, of.sdkStart]) samples.floor.push(bareMs);
    of.sdkText.floor.push(alone.firstTextMs);
    of.ownStart.product.push(own.startMs);
    of.ownText.product.push(own.textMs);
    of.sdkStart.product.push(hosted.startMs);
    of.sdkText.product.push(hosted.textMs);
    of.sdkProcess.product.push(alone.firstMessageMs);
  }
  const ms = (name: string, samples: Result["samples"], value: number): Result => ({
    budget: { name, unit: "ms", bound: { of: "floor", is: "at most", value } },
    samples,
  });
  return [
    ms("own loop: POST turn to run_start", of.ownStart, 4),
    ms("own loop: POST turn to first text", of.ownText, 5),
    ms("agent SDK: POST turn to run_start", of.sdkStart, 4),
    ms("agent SDK: POST turn to first text (floor: the SDK alone)", of.sdkText, 2.5),
    { budget: { name: "the SDK alone: spawn to its first message", unit: "ms" }, samples: of.sdkProcess },
  ];
};
