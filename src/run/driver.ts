/**
 * Drives the loop of a run. The loop is held by this instance alone; a run that should have one and has none is one that
 * died with its instance, and `recover` starts it from its checkpoint. Waiting for a person holds nothing.
 */
import { AppError } from "../contract/app-error.ts";
import { errorText } from "../contract/error-text.ts";
import type { RunError } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { anthropicHarness } from "../harness/anthropic-harness.ts";
import { isResumed } from "../harness/conversation.ts";
import { Superseded } from "../harness/journal.ts";
import { untilAborted } from "../harness/until-aborted.ts";
import { chooseModel } from "../model/choose-model.ts";
import type { DueTimes } from "./due.ts";
import { EXPIRED, endRun, type RunEnd } from "./end-run.ts";
import type { Ledger } from "./ledger.ts";
import { type LoadedTurn, loadTurn, NOTHING_LOADED } from "./load-turn.ts";
import { beginRun, recoverRun } from "./open-attempt.ts";
import type { JournalDeps, RunJournal } from "./run-journal.ts";
import { isLive } from "./run-state.ts";
import { RunningTime } from "./running-time.ts";
import { turnToolbox, turnWorld } from "./turn-world.ts";

/** What the object gives to its driver. */
export type DriverDeps = {
  readonly env: Env;
  readonly ledger: Ledger;
  readonly createJournal: (deps: JournalDeps) => RunJournal;
  /** Keeps the object alive while the promise is open. */
  readonly keepAlive: (work: Promise<void>) => void;
  /** Sends what the outbox holds. Never rejects. */
  readonly deliver: () => Promise<void>;
  readonly nowMs: () => number;
  readonly newId: () => string;
};

/** How a loop starts. */
type Start =
  /** The run's turn has come, under this grant. */
  | { readonly type: "begin"; readonly grant: number }
  /** A person has answered; nothing was lost. */
  | { readonly type: "go_on" }
  /** An instance died while it held the loop. */
  | { readonly type: "recover" };

/** Holds at most one loop. */
export class Driver {
  readonly #deps: DriverDeps;
  #loop: Promise<void> | undefined;
  #controller = new AbortController();
  #journal: RunJournal | undefined;
  #stoppingSinceMs: number | undefined;
  readonly #time: RunningTime;
  /** Whether the last loop ended because it reached nobody. */
  #hasReachedNobody = false;

  constructor(deps: DriverDeps) {
    this.#deps = deps;
    this.#time = new RunningTime(deps.nowMs);
  }

  get isRunning(): boolean {
    return this.#loop !== undefined;
  }

  /** Resolves when the loop this instance holds has ended; at once when it holds none. */
  async settled(): Promise<void> {
    await this.#loop;
  }

  /** Starts the loop. After an answer, one that is still returning is awaited first; else one that runs is enough. */
  start(start: Start): void {
    if (this.#loop !== undefined && start.type !== "go_on") return;
    if (this.#deps.ledger.record().state.status === "aborting") this.#stoppingSinceMs ??= this.#deps.nowMs();
    // Not at once: the answer to the call that starts it goes out first, and the loop's own first work does not hold it up.
    const loop = (this.#loop ?? scheduler.wait(0))
      .then(() => this.#drive(start))
      .finally(() => {
        if (this.#loop === loop) this.#loop = undefined;
      });
    this.#loop = loop;
    this.#deps.keepAlive(loop.then(() => this.#deps.deliver()));
  }

  /** Writes deltas that still wait, so that what follows stands behind them. */
  flush(): void {
    this.#journal?.flush();
  }

  /** Tells model and tools to stop. */
  stop(): void {
    this.#stoppingSinceMs ??= this.#deps.nowMs();
    this.#controller.abort();
  }

  /** What the alarm goes by. */
  dueTimes(): DueTimes {
    const { usedUpAtMs, usedUpSinceMs } = this.#time;
    return { nowMs: this.#deps.nowMs(), stoppingSinceMs: this.#stoppingSinceMs, usedUpAtMs, usedUpSinceMs };
  }

  /** Stops a run whose running time is used up (`failed`), and ends what one left running that died while it was to stop. */
  endOverdue(): void {
    const { status } = this.#deps.ledger.record().state;
    if (status === "aborting") this.start({ type: "recover" });
    if (status === "running" && this.#time.look()) this.stop();
  }

  async #drive(start: Start): Promise<void> {
    const { ledger, nowMs } = this.#deps;
    try {
      const end = await this.#runLoop(start);
      if (end !== undefined) endRun(ledger, end, nowMs());
    } catch (error) {
      this.#endBroken(error);
    }
  }

  /**
   * Ends a run whose loop threw. One that was overtaken leaves the end to whoever did that, but for an abort; one that could not
   * reach its session stays as it is, and the alarm tries again.
   */
  #endBroken(error: unknown): void {
    const { ledger, nowMs } = this.#deps;
    const record = ledger.runs.find();
    if (record === undefined) return;
    const { runId } = record.spec;
    const isUnreachable = error instanceof AppError;
    if (isUnreachable) console.warn(JSON.stringify({ level: "warn", message: "Session unreachable.", runId }));
    const isNoBug = isUnreachable || error instanceof Superseded;
    if (isNoBug && record.state.status !== "aborting") return;
    if (!isNoBug) {
      console.error(JSON.stringify({ level: "error", message: "A run broke.", runId, error: errorText(error) }));
    }
    endRun(ledger, failed("internal", "Something went wrong."), nowMs());
  }

  /** How the run ended, or undefined when it waits, is over, or could not be started just now. */
  async #runLoop(start: Start): Promise<RunEnd | undefined> {
    const { ledger, nowMs, env } = this.#deps;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#time.start(ledger.checkpoints.runningMs(), this.#hasReachedNobody);
    this.#hasReachedNobody = false;
    const isStopped = ledger.record().state.status === "aborting" || this.#time.look();
    if (isStopped) this.stop();
    else this.#stoppingSinceMs = undefined;

    const { spec } = ledger.record();
    const model = chooseModel(env, spec);
    const toolbox = await turnToolbox(env, spec, nowMs);
    const binding = { model: model.name, prefixHash: toolbox.prefix.hash };
    const load = () => loadTurn(env, ledger, this.#grantOf(start), { ...toolbox, binding, nowMs: nowMs() });
    const loaded = isStopped ? "aborted" : await untilAborted(signal, load());
    if (loaded === "refused") return failed("worker_restarted", "The thread went on without this run.");
    if (loaded === "unreachable") {
      this.#hasReachedNobody = true;
      return undefined;
    }
    // A run that was stopped before it had its conversation only closes what is open.
    const turn = loaded === "aborted" ? NOTHING_LOADED : loaded;
    if (loaded !== "aborted" && !this.#openAttempt(start, model.name, loaded)) {
      return failed("worker_restarted", "The run was cut off three times at the same point.");
    }
    const { state } = ledger.record();
    if (!isLive(state) || state.status === "waiting_permission") return undefined;

    const journal = this.#deps.createJournal({ ...this.#deps, runningMs: () => this.#time.ms });
    this.#journal = journal;
    const turnState = ledger.turnState.find() ?? turn.turnState;
    const world = turnWorld({ ...this.#deps, journal, model, toolbox, resumeState: turn.resumeState, turnState });
    const session = anthropicHarness.createSession(world);
    const outcome = await session.streamTurn(ledger.checkpoints.progress(spec.prompt), signal);
    if (outcome.type === "waiting") return undefined;
    return this.#time.usedUpSinceMs === undefined ? outcome : EXPIRED;
  }

  #grantOf(start: Start): number {
    const { state } = this.#deps.ledger.record();
    return start.type === "begin" ? start.grant : isLive(state) ? state.grant : 0;
  }

  /** Writes the start of the first or a further attempt; false when the run may not have one more. */
  #openAttempt(start: Start, model: string, turn: LoadedTurn): boolean {
    const { ledger, nowMs, newId } = this.#deps;
    const attempt = { ...turn, model, resumed: isResumed(turn.resumeState), nowMs: nowMs(), newId };
    if (start.type === "begin") beginRun(ledger, start.grant, attempt);
    return start.type !== "recover" || recoverRun(ledger, attempt);
  }
}

const failed = (code: RunError["code"], message: string): RunEnd => ({
  type: "ended",
  status: "failed",
  stopReason: "error",
  error: { code, message },
});
