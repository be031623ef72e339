/** Plays a plan: posts its turns, follows each by two clients, and does what the person of each turn does. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { PermissionDecision } from "../../../src/contract/permission.ts";
import type { Person, Plan, PlayedTurn, TurnPlan, Wish } from "../scenarios/scenario.ts";
import type { Play, PlayingModel } from "./playing-model.ts";
import type { Pulse } from "./pulse.ts";
import { follow, type Received, Recording } from "./recording.ts";
import type { Site, SiteAnswer } from "./site.ts";

/** How long the second client waits before it joins, in ms. */
const LATE_MS = 150;

/** Pause before a person asks again for what was not possible yet, in ms. */
const PAUSE_MS = 100;

/** What a case passes to its threads. `signal` aborts when the case has waited long enough. */
export type Stage = {
  readonly site: Site;
  readonly model: PlayingModel;
  readonly pulse: Pulse;
  readonly signal: AbortSignal;
  readonly workspaceDir: string;
  /** Resolves when the product is back from its last death of this case. */
  readonly isBack: Promise<void>;
  /** How often all of the product dies in this case; none if left out. */
  readonly kills?: number;
};

/** A turn with all that was recorded of it. */
export type RecordedTurn = PlayedTurn & {
  readonly sessionId: string | null;
  readonly recordings: readonly Recording[];
  /** What the person met that they should not have. */
  readonly problems: string[];
};

/** A thread after all its turns. */
export type PlayedThread = { readonly threadId: string; readonly plan: Plan; readonly turns: readonly RecordedTurn[] };

const AbortAnswer = z.object({ status: z.string() });
const Decided = z.object({ requestId: z.string(), decision: PermissionDecision });

/** Plays all of it. @throws {Error} when a turn was refused, or when the case has lost its patience. */
export const playThread = async (plan: Plan, id: string, stage: Stage): Promise<PlayedThread> => {
  const threadId = `thread ${id}`;
  await plan.prepare?.(stage);
  const ends: Promise<RecordedTurn>[] = [];
  for (const [index, turn] of plan.turns.entries()) {
    const play = stage.model.add(`${id}-${index + 1}`, turn.text, turn.steps);
    const { runId, sessionId } = await stage.site.startTurn(threadId, play.prompt);
    const end = followTurn({ threadId, runId, sessionId, play }, turn, plan, stage);
    // Looked at below, once the others are posted.
    end.catch(() => undefined);
    ends.push(end);
  }
  return { threadId, plan, turns: await Promise.all(ends) };
};

type Started = { threadId: string; runId: string; sessionId: string | null; play: Play };

const followTurn = async (started: Started, turn: TurnPlan, plan: Plan, stage: Stage): Promise<RecordedTurn> => {
  const { runId, sessionId, play } = started;
  const url = `${stage.site.url}/_framework/runs/${runId}/events`;
  const recordings = [new Recording(), new Recording()] as const;
  const deeds = new Deeds(started, plan, stage);
  const seen = new Set<number>();
  const onEvent = (event: Received) => {
    stage.pulse.beat("events");
    if (seen.has(event.seq)) return;
    seen.add(event.seq);
    if (event.type === "tool_start" && event.kind !== "read") stage.pulse.beat("calls");
    turn.react?.(event, deeds.person);
  };
  const late = delay(LATE_MS).then(() => follow(url, recordings[1], stage.signal, onEvent));
  await Promise.all([follow(url, recordings[0], stage.signal, onEvent), late]);
  await deeds.done();
  const { problems, abortAnswers } = deeds;
  return { runId, sessionId, key: play.key, play, recordings, problems, abortAnswers, events: recordings[0].events };
};

const orAborted = async (wanted: Promise<void>, signal: AbortSignal): Promise<void> => {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  await Promise.race([wanted, aborted.promise]);
};

/** What a person does at one run: each deed for certain, and what came back. */
class Deeds {
  readonly problems: string[] = [];
  readonly abortAnswers: string[] = [];
  readonly person: Person;
  readonly #path: string;
  readonly #plan: Plan;
  readonly #stage: Stage;
  readonly #pending: Promise<void>[] = [];
  #isStopping = false;

  constructor({ runId, threadId }: Started, plan: Plan, stage: Stage) {
    this.#stage = stage;
    this.#plan = plan;
    this.#path = `/_framework/runs/${runId}`;
    this.person = {
      site: stage.site,
      runId,
      answer: (event, decision, message) => this.#do(() => this.#answer(event, decision, message)),
      answerAfterRestart: (event, decision) =>
        this.#do(async () => {
          await orAborted(stage.isBack, stage.signal);
          await this.#answer(event, decision);
          await this.#answer(event, decision);
          await this.#contradict(event);
        }),
      abort: () => {
        this.#isStopping = true;
        this.#do(() => this.#abort());
      },
      deleteThread: () => {
        this.#isStopping = true;
        this.#do(() => this.#deleteThread(threadId));
      },
      ask: (wish, told) => this.#do(async () => told(await this.#ask(wish, threadId))),
    };
  }

  async done(): Promise<void> {
    for (let deed = this.#pending.shift(); deed !== undefined; deed = this.#pending.shift()) await deed;
  }

  #do(deed: () => Promise<void>): void {
    this.#pending.push(deed().catch((error: unknown) => void this.problems.push(`a deed failed: ${String(error)}`)));
  }

  async #answer(event: Received, decision: PermissionDecision, message?: string): Promise<void> {
    if (event.type !== "permission_request") return;
    const body = { decision, ...(message === undefined ? {} : { message }) };
    const answer = await this.#stage.site.surely("POST", `${this.#path}/permissions/${event.requestId}`, body);
    const isTaken = answer.status === 200 && Decided.parse(answer.body).decision === decision;
    const mayBeRefused = this.#isStopping || this.#plan.clockJumps === true;
    if (!isTaken && !(mayBeRefused && [404, 409, 410].includes(answer.status))) {
      this.problems.push(`an answer was not taken: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }

  async #contradict(event: Received): Promise<void> {
    if (event.type !== "permission_request") return;
    const path = `${this.#path}/permissions/${event.requestId}`;
    const { status } = await this.#stage.site.surely("POST", path, { decision: "reject" });
    if (status !== 409) this.problems.push(`a contradiction was answered ${status}`);
  }

  async #abort(): Promise<void> {
    const { status, body } = await this.#stage.site.surely("POST", `${this.#path}/abort`);
    if (status === 200) this.abortAnswers.push(AbortAnswer.parse(body).status);
    else this.problems.push(`an abort was answered ${status}`);
  }

  async #ask({ of, path, body, statuses }: Wish, threadId: string): Promise<SiteAnswer> {
    const place = of === "run" ? this.#path : `/_framework/threads/${encodeURIComponent(threadId)}`;
    const key = { "Idempotency-Key": crypto.randomUUID() };
    for (;;) {
      const answer = await this.#stage.site.surely("POST", place + path, body, key);
      if (statuses.includes(answer.status)) return answer;
      await delay(PAUSE_MS, undefined, { signal: this.#stage.signal });
    }
  }

  /** A deletion that was cut off is asked for again until there is nothing left to delete. */
  async #deleteThread(threadId: string): Promise<void> {
    const path = `/_framework/threads/${encodeURIComponent(threadId)}`;
    const { status } = await this.#stage.site.surely("DELETE", path);
    if (status !== 200 && status !== 404) this.problems.push(`a deletion was answered ${status}`);
  }
}
