/**
 * `kill -9` under the agent SDK's harness, with the real SDK and its edits, commands and stock writes open: of the SDK, of the host that
 * runs it, of wrangler, of the dev command with both, and of all that there is.
 */
import { join } from "node:path";
import { findSdk } from "../../../src/harness-host/find-sdk.ts";
import { NOT_FOR_THE_CLIENT } from "../../support/agent-sdk/vendor-client.ts";
import { type ClassInput, type FaultClass, NotTried, type Verdict } from "../fault-class.ts";
import { logProblems } from "../invariants/log-problems.ts";
import { lookAt } from "../invariants/look-at.ts";
import { describeMoment, drawMoment, type Moment, reachMoment } from "../kill/moment.ts";
import { type Random, randomOf } from "../random.ts";
import { type DevWorld, startDevWorld } from "../world/dev-world.ts";
import { type PlayedThread, playThread, type Stage } from "../world/play-thread.ts";
import { Pulse } from "../world/pulse.ts";
import { Site } from "../world/site.ts";
import { killAgents, killWithCommands } from "./sdk-processes.ts";
import { SDK_SCENARIOS } from "./sdk-scenarios.ts";

/** Where `npm run test:agent-sdk` puts the SDK. */
const SDK_DIR = join(import.meta.dirname, "../../agent-sdk");

/** Threads of a case, all at once: each has a process of the SDK, of 200 MB. */
const THREADS = 2;

/** How long a case may take in all, in ms; what has not ended by then counts as lost. */
const PATIENCE_MS = 240_000;

/** Cases on the same data. A failed one ends its chain, so that it cannot fail the others. */
const CHAIN_LENGTH = 20;

/** What a kill hits. */
const HITS = ["the SDK", "the host", "wrangler", "the dev command", "everything"] as const;

const hit = async (what: (typeof HITS)[number], { victim }: DevWorld): Promise<void> => {
  switch (what) {
    case "the SDK":
      return void (await killAgents(victim.persistTo));
    case "the host":
      await victim.killPart("workspace");
      return await victim.start();
    case "wrangler":
      await victim.killPart("wrangler");
      return await victim.start();
    case "the dev command":
      await victim.kill();
      return await victim.start();
    case "everything":
      await Promise.all([victim.kill(), killWithCommands(victim.persistTo)]);
      await killWithCommands(victim.persistTo);
      return await victim.start();
  }
};

/** Mostly some time behind a call, so that something is open; else at any moment. */
const drawSdkMoment = (random: Random): Moment =>
  random.chance(0.8) ? { at: "calls", count: random.int(1, 9), thenMs: random.int(0, 1_500) } : drawMoment(random);

/** Calls that had begun and not ended at a time. */
const openAt = (threads: readonly PlayedThread[], at: string): string[] =>
  threads.flatMap(({ turns }) =>
    turns.flatMap(({ events }) =>
      events.flatMap((event) => {
        if (event.type !== "tool_start" || event.kind === "read" || event.at > at) return [];
        const end = events.find((other) => other.type === "tool_end" && other.toolCallId === event.toolCallId);
        return end === undefined || end.at > at ? [event.tool] : [];
      }),
    ),
  );

/** What a thread's clients saw, for whoever looks into a case that failed. */
const storyOf = ({ threadId, turns }: PlayedThread): string =>
  turns
    .flatMap(({ runId, events }) => [`${threadId}, run ${runId}`, ...events.map((event) => JSON.stringify(event))])
    .join("\n");

const playSeed = async (seed: number, world: DevWorld): Promise<Verdict> => {
  const random = randomOf(seed);
  const what = HITS[seed % HITS.length] ?? "everything";
  const moment = drawSdkMoment(random);
  world.model.clear();
  world.pulse = new Pulse();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const site = new Site(world.victim.url, signal);
  const back = Promise.withResolvers<void>();
  const stage: Stage = { ...world, site, signal, isBack: back.promise, kills: 1 };
  const ids = Array.from({ length: THREADS }, (_, thread) => `${seed}S${thread}`);
  const plans = ids.map((id) => random.pick(SDK_SCENARIOS)(id, random));
  const over = new AbortController();
  const playing = Promise.allSettled(plans.map((one, at) => playThread(one, ids[at] ?? "", stage)));
  void playing.then(() => over.abort());
  await reachMoment(moment, world.pulse, over.signal);
  const killedAt = new Date().toISOString();
  await hit(what, world);
  back.resolve();
  const played = await playing;
  const threads = played.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const lost = played.flatMap((result) => (result.status === "rejected" ? [`a thread failed: ${result.reason}`] : []));
  const found = await lookAt(threads, stage).catch((error: unknown) => [`it cannot be looked at: ${String(error)}`]);
  const outputs = [...world.victim.outputs.splice(0), world.victim.output()];
  const open = openAt(threads, killedAt);
  const names = plans.map(({ name }) => name).join("; ");
  return {
    seed,
    label: `${what}, ${describeMoment(moment)}, open: ${open.join() || "none"}, [${names}]`,
    tried: 1,
    problems: [...lost, ...found, ...site.broken, ...world.model.strays, ...outputs.flatMap(logProblems)],
    log: [...outputs, ...threads.map(storyOf)].join("\n=== next ===\n"),
  };
};

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  if (findSdk([SDK_DIR]) === undefined)
    throw new NotTried("`npm ci --prefix test/agent-sdk` installs the vendor's SDK");
  const options = {
    env: { AGENT_SDK_DIR: SDK_DIR },
    args: ["--harness", "agent-sdk"],
    rulesOff: new Set(NOT_FOR_THE_CLIENT),
  };
  let world: DevWorld | undefined;
  const stop = async () => {
    if (world === undefined) return;
    await killWithCommands(world.victim.persistTo);
    await world.stop();
    world = undefined;
  };
  let length = 0;
  for (const seed of seeds) {
    if (world === undefined || length >= CHAIN_LENGTH) {
      await stop();
      world = await startDevWorld(stops, options);
      length = 0;
    }
    length += 1;
    const verdict = await playSeed(seed, world);
    yield verdict;
    if (verdict.problems.length > 0) await stop();
  }
  await stop();
}

/** The class. */
export const sdkClass: FaultClass = {
  name: "agent-sdk",
  about: "kill -9 of the vendor's SDK, its host, wrangler, the dev command, or all of it",
  ownCases: 60,
  caseSeconds: 25,
  run,
};
