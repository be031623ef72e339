/** 50 turns at once, three times over: each calls an action, says 200 words, and is read by an early and a late client. */
import { setTimeout as delay } from "node:timers/promises";
import { followRun } from "../follow-run.ts";
import type { Owner } from "../owner.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { turnProblems } from "../turn-problems.ts";

const TURNS = 50;
const ROUNDS = 3;
const DELTAS = 200;

/** How long after the early client the late one joins, in ms. */
const LATE_MS = 200;

/** Model calls of a turn: one that calls the action, one that speaks. */
const CALLS_A_TURN = 2;

const playTurn = async (owner: Owner, threadId: string, turn: number): Promise<void> => {
  const runId = await owner.startTurn(threadId, { turn, deltas: DELTAS, call: "list-stocks" });
  const [early, late] = await Promise.all([
    followRun(owner, runId, { keepsFrames: true }),
    delay(LATE_MS).then(() => followRun(owner, runId)),
  ]);
  const turns = Array.from({ length: turn }, (_, index) => index + 1);
  owner.incidents.add(...(await turnProblems(owner, runId, early, turns)), ...late.problems);
  owner.incidents.require(early.digest() === late.digest(), `run ${runId}: two clients saw different bytes`);
};

/** Each round goes on in the threads of the one before. */
export const turnsAtOnce: Scenario = {
  name: "turns at once",
  run: async ({ world, incidents, scaled, begin }: Stage) => {
    const [owner] = await world.owners(1, incidents);
    if (owner === undefined) throw new Error("Nobody has signed in.");
    const threads = Array.from({ length: scaled(TURNS) }, () => crypto.randomUUID());
    const { asked } = await world.model.counts();
    await begin();
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      await Promise.all(threads.map((threadId) => playTurn(owner, threadId, turn)));
    }
    const calls = (await world.model.counts()).asked - asked;
    const wanted = threads.length * ROUNDS * CALLS_A_TURN;
    incidents.require(calls === wanted, `the model was asked ${calls} times, not ${wanted}: a turn was run twice`);
    return `${ROUNDS} × ${threads.length} turns of ${DELTAS} words`;
  },
};
