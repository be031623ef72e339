/** 500 subscribers of one run that speaks for a while. Some go away in the middle and come back by their cursor. */
import { setTimeout as delay } from "node:timers/promises";
import { followRun } from "../follow-run.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { turnProblems } from "../turn-problems.ts";

const SUBSCRIBERS = 500;

/** One in so many goes away in the middle. */
const LEAVES = 20;
const LEAVES_AFTER = 40;

/** A word each 15 ms; the model waits until all are there. */
const DELTAS = 1_000;
const DELAY_MS = 15;

/** How long subscribers may take to join before the model speaks anyway, in ms: those who come late read from the start. */
const JOIN_MS = 60_000;

export const manySubscribers: Scenario = {
  name: "subscribers",
  run: async ({ world, incidents, scaled, begin }: Stage) => {
    const [owner] = await world.owners(1, incidents);
    if (owner === undefined) throw new Error("Nobody has signed in.");
    const count = scaled(SUBSCRIBERS);
    await begin();
    const gate = crypto.randomUUID();
    const prompt = { turn: 1, deltas: DELTAS, delayMs: DELAY_MS, gate };
    const runId = await owner.startTurn(crypto.randomUUID(), prompt);
    const joined = Array.from({ length: count }, () => Promise.withResolvers<void>());
    const readings = joined.map(({ resolve }, index) =>
      followRun(owner, runId, {
        onJoined: resolve,
        ...(index % LEAVES === 1 ? { leavesAfter: LEAVES_AFTER } : {}),
      }),
    );
    await Promise.race([Promise.all(joined.map(({ promise }) => promise)), delay(JOIN_MS, undefined, { ref: false })]);
    await world.model.open(gate);
    const ends = await Promise.all(readings);
    const replay = await followRun(owner, runId, { keepsFrames: true });
    incidents.add(...(await turnProblems(owner, runId, replay, [1])));
    const digest = replay.digest();
    for (const [index, reading] of ends.entries()) {
      incidents.add(...reading.problems.map((problem) => `subscriber ${index + 1}: ${problem}`));
      incidents.require(reading.digest() === digest, `subscriber ${index + 1} saw other bytes than the replay`);
    }
    return `${count} × ${replay.lastSeq} frames, ${Math.floor((count + LEAVES - 2) / LEAVES)} left and came back`;
  },
};
