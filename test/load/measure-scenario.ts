/** Runs a scenario and looks at workerd all the while. */
import { setTimeout as delay } from "node:timers/promises";
import { Incidents } from "./incidents.ts";
import type { LoadWorld } from "./load-world.ts";
import type { ProcessSample } from "./sample-process.ts";
import type { Scenario } from "./scenario.ts";
import type { Stall } from "./stall-probe.ts";

const SAMPLE_PERIOD_MS = 250;

/** How long workerd is left alone afterwards, in ms: it evicts objects that have been idle for 10 s. */
export const SETTLE_MS = 14_000;

/** What a scenario cost. */
export type Measured = {
  readonly name: string;
  readonly did: string;
  readonly seconds: number;
  readonly cpuSeconds: { readonly app: number; readonly proxy: number };
  /** Before the load, at its worst, and once workerd was left alone. */
  readonly app: { readonly before: ProcessSample; readonly peak: ProcessSample; readonly after: ProcessSample };
  readonly stall: Stall;
  readonly reconnects: number;
  readonly problems: readonly string[];
};

/** The worse of two samples, figure by figure. */
const worst = (a: ProcessSample, b: ProcessSample): ProcessSample => ({
  cpuSeconds: Math.max(a.cpuSeconds, b.cpuSeconds),
  rssBytes: Math.max(a.rssBytes, b.rssBytes),
  privateBytes: Math.max(a.privateBytes, b.privateBytes),
  openFiles: Math.max(a.openFiles, b.openFiles),
  threads: Math.max(a.threads, b.threads),
});

/** `scale` 1 is the whole load. */
export const measureScenario = async (scenario: Scenario, world: LoadWorld, scale: number): Promise<Measured> => {
  const incidents = new Incidents();
  let before = world.sample();
  let peak = before.app;
  let startMs = performance.now();
  const sampler = setInterval(() => {
    peak = worst(peak, world.sample().app);
  }, SAMPLE_PERIOD_MS);
  const begin = async (): Promise<void> => {
    await world.probe.look();
    before = world.sample();
    peak = before.app;
    startMs = performance.now();
  };
  const scaled = (count: number): number => Math.max(1, Math.round(count * scale));
  try {
    const did = await scenario.run({ world, incidents, scaled, begin });
    const seconds = (performance.now() - startMs) / 1_000;
    const end = world.sample();
    const stall = await world.probe.look();
    await delay(SETTLE_MS);
    incidents.add(...world.newLogProblems(), ...(await world.model.counts()).problems);
    return {
      ...{ name: scenario.name, did, seconds, stall },
      cpuSeconds: {
        app: end.app.cpuSeconds - before.app.cpuSeconds,
        proxy: end.proxy.cpuSeconds - before.proxy.cpuSeconds,
      },
      app: { before: before.app, peak: worst(peak, end.app), after: world.sample().app },
      ...{ reconnects: incidents.reconnects, problems: incidents.problems },
    };
  } finally {
    clearInterval(sampler);
  }
};
