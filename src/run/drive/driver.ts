/**
 * Drives the loop of a run. Only this instance holds the loop; if a run should have a loop and has none, the loop died with its instance,
 * and `recover` restarts the run from its checkpoint. A run that waits for a person holds no loop.
 */
import { AppError } from "../../contract/app-error.ts";
import { log } from "../../contract/log.ts";
import type { RunError } from "../../contract/run.ts";
import { untilAborted } from "../../contract/within.ts";
import type { Env } from "../../env.ts";
import { Superseded } from "../../harness/journal.ts";
import { type Late, loadLate } from "../load-driving.ts";
import type { FoundScreen } from "../run-rpc.ts";
import { isLive } from "../run-state.ts";
import type { Ledger } from "../store/ledger.ts";
import type { DueTimes } from "./due.ts";
import { endRun, OUT_OF_TIME, type RunEnd } from "./end-run.ts";
import type { LoadedTurn } from "./open-attempt.ts";
import type { JournalDeps, RunJournal } from "./run-journal.ts";
import { RunningTime } from "./running-time.ts";

/** What the object passes to its driver. */
export type DriverDeps = {
  readonly env: Env;
  readonly ledger: Ledger;
  readonly createJournal: (deps: JournalDeps) => RunJournal;
  /** Keeps the object alive until the promise settles. */
  readonly keepAlive: (work: Promise<void>) => void;
  /** Sends the contents of the outbox. Never rejects. */
  readonly deliver: () => Promise<void>;
  readonly nowMs: () => number;
  readonly newId: () => string;
};

/** Why a loop starts. */
type Start =
  /** The run has reached the head of the queue and has this grant. `isFirst`: nothing was said in its session before. */
  | { readonly type: "begin"; readonly grant: number; readonly isFirst: boolean; readonly screen?: FoundScreen }
  /** A person has answered; nothing was lost. */
  | { readonly type: "go_on" }
  /** An instance died while it was running the loop. */
  | { readonly type: "recover" };

/** Holds at most one loop. */
export class Driver {
  readonly #deps: DriverDeps;
  #loop: Promise<void> | undefined;
  #controller = new AbortController();
  #journal: RunJournal | undefined;
  #stoppingSinceMs: number | undefined;
  readonly #time: RunningTime;
  /** Whether the last loop ended because its session was unreachable. */
  #wasUnreachable = false;

  constructor(deps: DriverDeps) {
    this.#deps = deps;
    this.#time = new RunningTime(deps.nowMs);
  }

  get isRunning(): boolean {
    return this.#loop !== undefined;
  }

  /** Resolves when the loop of this instance has ended; at once when there is none. */
  async settled(): Promise<void> {
    await this.#loop;
  }

  /** Starts the loop, unless one is running. After an answer, waits for the old loop to return and starts a new one. */
  start(start: Start): void {
    if (this.#loop !== undefined && start.type !== "go_on") return;
    if (this.#deps.ledger.record().state.status === "aborting") this.#stoppingSinceMs ??= this.#deps.nowMs();
    // Not at once: the response to the call that starts it goes out first, and is not delayed by the loop's first work.
    const loop = (this.#loop ?? scheduler.wait(0))
      .then(() => this.#drive(start))
      .finally(() => {
        if (this.#loop === loop) this.#loop = undefined;
      });
    this.#loop = loop;
    this.#deps.keepAlive(loop.then(() => this.#deps.deliver()));
  }

  /** Writes deltas that are still buffered, so that what follows comes after them. */
  flush(): void {
    this.#journal?.flush();
  }

  /** Tells the model call and the tools to stop. */
  stop(): void {
    this.#stoppingSinceMs ??= this.#deps.nowMs();
    this.#controller.abort();
  }

  /** The times that the alarm is set by. */
  dueTimes(): DueTimes {
    const { usedUpAtMs, usedUpSinceMs } = this.#time;
    return { nowMs: this.#deps.nowMs(), stoppingSinceMs: this.#stoppingSinceMs, usedUpAtMs, usedUpSinceMs };
  }

  /** Stops a run that has used up its running time (`failed`), and finishes stopping one whose loop died meanwhile. */
  endOverdue(): void {
    const { status } = this.#deps.ledger.record().state;
    if (status === "aborting") this.start({ type: "recover" });
    if (status === "running" && this.#time.look()) this.stop();
  }

  async #drive(start: Start): Promise<void> {
    const { ledger, nowMs } = this.#deps;
    try {
      // Loaded before anything is read: while it loads, calls can come in and change what is stored.
      const late = await loadLate(ledger.record().spec.harness);
      const end = await this.#runLoop(start, late);
      if (end !== undefined) endRun(ledger, end, nowMs());
    } catch (error) {
      this.#endBroken(error);
    }
  }

  /**
   * Ends a run whose loop threw. A loop that was overtaken leaves the end to whoever overtook it, unless the run is being
   * aborted; a run that could not reach its session stays as it is, and the alarm tries again.
   */
  #endBroken(error: unknown): void {
    const { ledger, nowMs } = this.#deps;
    const record = ledger.runs.find();
    if (record === undefined) return;
    const { runId } = record.spec;
    const isUnreachable = error instanceof AppError;
    if (isUnreachable) log.warn("Session unreachable.", { runId });
    const isNoBug = isUnreachable || error instanceof Superseded;
    if (isNoBug && record.state.status !== "aborting") return;
    if (!isNoBug) {
      log.error("A run broke.", { runId, error });
    }
    endRun(ledger, failed("internal", "Something went wrong."), nowMs());
  }

  /** How the run ended, or undefined when it waits, is over, or could not be started just now. */
  async #runLoop(start: Start, late: Late): Promise<RunEnd | undefined> {
    const { ledger, nowMs, env } = this.#deps;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const { status } = ledger.record().state;
    this.#time.start(status === "queued" ? 0 : ledger.checkpoints.runningMs(), this.#wasUnreachable);
    this.#wasUnreachable = false;
    const isStopped = status === "aborting" || this.#time.look();
    if (isStopped) this.stop();
    else this.#stoppingSinceMs = undefined;

    const { spec } = ledger.record();
    const { harness } = late;
    const model = harness.hasOwnModel ? late.foreignModel(env, spec) : late.chooseModel(env, spec);
    const toolbox = late.turnToolbox(env, spec, nowMs);
    const isFirst = start.type === "begin" && start.isFirst && spec.queueSessionId === undefined;
    const screen = start.type === "begin" ? start.screen : undefined;
    const loadWorld = { ...toolbox, harness, model: model.name, nowMs: nowMs(), isFirst, screen };
    const load = () => late.loadTurn(env, ledger, this.#grantOf(start), loadWorld);
    const loaded = isStopped ? "aborted" : await untilAborted(signal, load());
    if (loaded === "refused")
      return failed("worker_restarted", "The chat went on without this message. Send it again.");
    if (loaded === "unreachable") {
      this.#wasUnreachable = true;
      return undefined;
    }
    // A run that was stopped before its conversation was loaded only closes what is open.
    const turn = loaded === "aborted" ? late.nothingLoaded(harness) : loaded;
    if (loaded !== "aborted" && !this.#openAttempt(start, late, model.name, loaded)) {
      return failed("worker_restarted", "The agent was interrupted three times at the same point. Try again.");
    }
    const { state } = ledger.record();
    if (!isLive(state) || state.status === "waiting_permission") return undefined;

    const journal = this.#deps.createJournal({ ...this.#deps, runningMs: () => this.#time.ms });
    this.#journal = journal;
    const turnState = ledger.turnState.find()?.state ?? turn.turnState;
    const world = late.turnWorld({ ...this.#deps, harness, journal, model, toolbox, turnState });
    const outcome = await turn.thread.runTurn(world, ledger.turn(), signal);
    if (outcome.type === "waiting") return undefined;
    return this.#time.usedUpSinceMs === undefined ? outcome : OUT_OF_TIME;
  }

  #grantOf(start: Start): number {
    const { state } = this.#deps.ledger.record();
    return start.type === "begin" ? start.grant : isLive(state) ? state.grant : 0;
  }

  /** Writes the start of the first or a further attempt; false when the run may not have another attempt. */
  #openAttempt(start: Start, late: Late, model: string, turn: LoadedTurn): boolean {
    const { ledger, nowMs, newId } = this.#deps;
    const attempt = { ...turn, harness: late.harness, model, resumed: turn.thread.isResumed, nowMs: nowMs(), newId };
    if (start.type === "begin") late.beginRun(ledger, start.grant, attempt);
    return start.type !== "recover" || late.recoverRun(ledger, attempt);
  }
}

const failed = (code: RunError["code"], message: string): RunEnd => ({
  type: "ended",
  status: "failed",
  stopReason: "error",
  error: { code, message },
});
