/**
 * A thread of sixty turns against a provider that refuses what the real one does: each request begins with the one before it, or
 * says by what it does not. Seeded: `VITE_THREAD_SEEDS=20 npx vitest run --project worker long-thread`; one of them alone:
 * `-t "seed 7"`.
 */
import { describe, it } from "vitest";
import { z } from "zod";
import { cacheUses } from "../../support/prompt-cache.ts";
import { breaksOf, liveThrough } from "../../support/workerd/long-thread.ts";
import { planOf } from "../../support/workerd/long-thread-plan.ts";
import { ofType } from "../../support/workerd/of-type.ts";

const { env } = z.object({ env: z.object({ VITE_THREAD_SEEDS: z.coerce.number().default(1) }) }).parse(import.meta);
const SEEDS = Array.from({ length: env.VITE_THREAD_SEEDS }, (_, seed) => seed);

const TURNS = 60;

/** Half a minute of work, and the machine may have much more to do. */
const TIMEOUT_MS = 600_000;

/** Two summaries, the second in the middle of a turn, then two deploys, the second while a person was asked. */
const BREAKS = ["summary", "summary", "tools", "tools"];

describe("a thread of sixty turns", () => {
  it.for(SEEDS)(
    "is never refused, sends what it sent, and is read from the cache, seed %i",
    { timeout: TIMEOUT_MS },
    async (seed, { expect }) => {
      const { calls, summaries, violations, events } = await liveThrough(planOf(seed, TURNS));
      expect(violations).toEqual([]);

      const breaks = breaksOf(calls, summaries);
      expect(breaks.map(({ why }) => why)).toEqual(BREAKS);
      // Until the first deploy nothing has to be dropped.
      const firstDeploy = breaks[2]?.at ?? 0;
      const drops = calls.map(({ thinking }) => Object(thinking).block_binding !== undefined);
      expect([drops.indexOf(true), drops.lastIndexOf(false)]).toEqual([firstDeploy, firstDeploy - 1]);
      // Each turn's date is that of its beginning, whatever the day is when a person answers.
      const dates = new Set(JSON.stringify(calls).match(/Today is \d{4}-\d\d-\d\d/g));
      expect(dates.size).toBeGreaterThan(1);

      const uses = cacheUses(calls);
      const missed = uses.flatMap(({ read }, at) => (at > 0 && read < (uses[at - 1]?.written ?? 0) ? [at] : []));
      expect(missed).toEqual(breaks.map(({ at }) => at));
      const sum = (key: "read" | "sent") => uses.reduce((all, use) => all + use[key], 0);
      expect(sum("read") / sum("sent")).toBeGreaterThan(0.9);

      expect(events.flatMap((turn) => ofType(turn, "context_compacted"))).toHaveLength(2);
      expect(events.flatMap((turn) => ofType(turn, "context_reset"))).toEqual([]);
      expect(events.flatMap((turn) => ofType(turn, "context_added"))).toHaveLength(2);
    },
  );
});
