/**
 * 1,000 turns over 50 threads, 20 each, posted as fast as they are taken. A thread takes nine at a time (one lives, eight
 * wait), an owner 100: both limits are met on the way, and must be said clearly.
 */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ThreadRunView } from "../../../src/contract/thread.ts";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { followRun } from "../follow-run.ts";
import type { Answer, Owner } from "../owner.ts";
import type { Reading } from "../reading.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { eventsOf, turnProblems } from "../turn-problems.ts";

const THREADS = 50;
const TURNS_EACH = 20;
const THREADS_OF_AN_OWNER = 10;
const OPEN_OF_A_THREAD = 9;
const OPEN_OF_AN_OWNER = 100;

/** Pause before a turn that found its queue full is posted again, in ms, and the most tries. */
const PAUSE_MS = 100;
const MAX_TRIES = 3_000;

type Turn = { readonly runId: string; readonly reading: Promise<Reading> };

/** Whether the queue was full; anything but a start or the contract's own refusal is an incident. */
const isRefused = (owner: Owner, { status, headers, body }: Answer): boolean => {
  if (status === 200) return false;
  const isClear = status === 429 && JSON.stringify(body) === '{"error":"Too many runs. Try again later."}';
  owner.incidents.require(isClear, `a full queue was answered ${status} ${JSON.stringify(body)}`);
  owner.incidents.require(Number(headers.get("retry-after")) > 0, "a full queue was answered without Retry-After");
  return true;
};

/** One thread and its turns, in the order they were posted. */
class Lane {
  readonly owner: Owner;
  readonly threadId = crypto.randomUUID();
  readonly turns: Turn[] = [];
  refusals = 0;
  readonly #gate: string;

  constructor(owner: Owner, gate: string) {
    this.owner = owner;
    this.#gate = gate;
  }

  /** False where the queue was full. The first turn waits at the gate, so that those behind it really wait. */
  async post(): Promise<boolean> {
    const turn = this.turns.length + 1;
    const gate = turn === 1 ? { gate: this.#gate } : {};
    const answer = await this.owner.postTurn(this.threadId, { turn, ...gate });
    if (isRefused(this.owner, answer)) {
      this.refusals += 1;
      return false;
    }
    const { runId } = TurnStartResponse.parse(answer.body);
    const reading = followRun(this.owner, runId, { keepsFrames: true });
    // Looked at in `check`.
    reading.catch(() => undefined);
    this.turns.push({ runId, reading });
    return true;
  }

  /** Posts until there are `count` turns in all, waiting where the queue is full. */
  async fill(count: number): Promise<void> {
    for (let tries = 0; this.turns.length < count; tries += 1) {
      if (tries > MAX_TRIES) throw new Error(`A thread took only ${this.turns.length} turns.`);
      if (!(await this.post())) await delay(PAUSE_MS);
    }
  }

  /** Every turn completed once, in the order of the posts, each after the one before it had ended. */
  async check(): Promise<void> {
    const { owner, threadId, turns } = this;
    const { incidents } = owner;
    let endedAt = "";
    for (const [index, { runId, reading }] of turns.entries()) {
      const numbers = Array.from({ length: index + 1 }, (_, before) => before + 1);
      incidents.add(...(await turnProblems(owner, runId, await reading, numbers)));
      const events = eventsOf(await reading);
      const startedAt = events.find(({ type }) => type === "run_start")?.at ?? "";
      incidents.require(startedAt >= endedAt, `run ${runId} began before the one ahead of it had ended`);
      endedAt = events.at(-1)?.at ?? "";
    }
    const list = await owner.read(z.object({ runs: z.array(ThreadRunView) }), `/_framework/threads/${threadId}/runs`);
    const listed = list.runs.map(({ runId, status }) => `${runId} ${status}`).join();
    const posted = turns.map(({ runId }) => `${runId} completed`).join();
    incidents.require(listed === posted, `thread ${threadId} lists its runs in another order or status`);
  }
}

/** Posts to more threads of the owner until one is refused; returns the threads. */
const fillOwner = async (owner: Owner, gate: string, room: number): Promise<Lane[]> => {
  const lanes: Lane[] = [];
  for (let left = room; left > 0; left -= OPEN_OF_A_THREAD) {
    const lane = new Lane(owner, gate);
    lanes.push(lane);
    await lane.fill(Math.min(left, OPEN_OF_A_THREAD));
  }
  const isTaken = await new Lane(owner, gate).post();
  owner.incidents.require(!isTaken, `an owner with ${OPEN_OF_AN_OWNER} open runs may start another one`);
  return lanes;
};

export const deepQueues: Scenario = {
  name: "queues",
  run: async ({ world, incidents, scaled, begin }: Stage) => {
    const count = scaled(THREADS);
    const owners = await world.owners(Math.ceil(count / THREADS_OF_AN_OWNER), incidents);
    const gate = crypto.randomUUID();
    const lanes = owners
      .flatMap((owner) => Array.from({ length: THREADS_OF_AN_OWNER }, () => new Lane(owner, gate)))
      .slice(0, count);
    await begin();
    await Promise.all(lanes.map((lane) => lane.fill(OPEN_OF_A_THREAD)));
    await Promise.all(
      lanes.map(async (lane) => incidents.require(!(await lane.post()), "a thread with a full queue took a turn")),
    );
    const [first] = owners;
    const ownLanes = lanes.filter(({ owner }) => owner === first).length;
    const extra =
      first === undefined ? [] : await fillOwner(first, gate, OPEN_OF_AN_OWNER - ownLanes * OPEN_OF_A_THREAD);
    await world.model.open(gate);
    await Promise.all(lanes.map((lane) => lane.fill(TURNS_EACH)));
    for (const lane of [...lanes, ...extra]) await lane.check();
    const turns = [...lanes, ...extra].reduce((sum, lane) => sum + lane.turns.length, 0);
    const refusals = [...lanes, ...extra].reduce((sum, lane) => sum + lane.refusals, 0);
    return `${turns} turns in ${lanes.length} threads, ${lanes.length * OPEN_OF_A_THREAD} open at once, ${refusals} refused`;
  },
};
