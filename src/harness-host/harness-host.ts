/** Runs the turns of the vendor's agent SDK in one workspace. Its calls come through the workspace server, with its guards. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { QuestionAnswer, TurnCall, TurnLine } from "../harness/agent-sdk/host-wire.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import type { SdkSetup } from "./agent/agent-start.ts";
import { LiveTurn, NotAsked } from "./live-turn.ts";
import { SessionFiles, sdkHomeIn, temporaryDirsIn } from "./session-files.ts";
import { endLeftTurns, turnRecordsIn } from "./turn-processes.ts";

/** Where a host works: the workspace, and the state directory, which exists. */
export type HostPlace = { readonly dir: string; readonly stateDir: string };

type Running = { readonly turn: LiveTurn; readonly sessionId: string };

/** How many stops of unknown turns are remembered: a stop and its turn arrive within milliseconds of each other. */
const MAX_STOPPED_EARLY = 1_000;

/** The host of one workspace. */
export class HarnessHost {
  readonly sessions: SessionFiles;
  readonly #place: HostPlace;
  readonly #setup: SdkSetup;
  readonly #home: string;
  readonly #running = new Map<string, Running>();
  readonly #stoppedEarly = new Set<string>();
  #isClosed = false;

  /** Run `endLeftTurns` first, for what an earlier start left. */
  constructor(setup: SdkSetup, place: HostPlace) {
    this.#setup = setup;
    this.#place = place;
    this.#home = sdkHomeIn(place.stateDir);
    mkdirSync(this.#home, { recursive: true, mode: 0o700 });
    this.sessions = new SessionFiles(this.#home, place.dir);
  }

  get sdkVersion(): string {
    return this.#setup.sdk.version;
  }

  /**
   * Runs a turn to its end; the last line is `ended`. When `left` aborts, nobody can answer its questions, so it is stopped. A turn of
   * the same session that is still running belongs to a caller that is gone, and is stopped first.
   *
   * @throws {WorkspaceError} `repeated` when the id is running; nothing has run then.
   */
  async runTurn(call: TurnCall, onLine: (line: TurnLine) => void, left: AbortSignal): Promise<void> {
    if (this.#isClosed) throw new WorkspaceError("unavailable", "The harness host is stopping.");
    if (this.#running.has(call.turnId)) throw new WorkspaceError("repeated", `The turn ${call.turnId} is running.`);
    const before = [...this.#running.values()].filter(({ sessionId }) => sessionId === call.sessionId);
    const { dir, stateDir } = this.#place;
    const mark = crypto.randomUUID();
    const temporaryDir = join(temporaryDirsIn(stateDir), mark);
    const start = { setup: this.#setup, dir, stateDir, home: this.#home, temporaryDir, mark, turn: call };
    const turn = new LiveTurn(turnRecordsIn(stateDir), start);
    this.#running.set(call.turnId, { turn, sessionId: call.sessionId });
    const stop = () => void turn.stop();
    left.addEventListener("abort", stop, { once: true });
    try {
      await Promise.all(before.map((one) => one.turn.stop()));
      if (left.aborted || this.#stoppedEarly.delete(call.turnId)) stop();
      await turn.run(onLine);
    } finally {
      left.removeEventListener("abort", stop);
      this.#running.delete(call.turnId);
    }
  }

  /** Passes an answer on. @throws {WorkspaceError} `not_found` when the question is not open. */
  answer(turnId: string, questionId: string, answer: QuestionAnswer): void {
    try {
      const running = this.#running.get(turnId);
      if (running === undefined) throw new NotAsked();
      running.turn.answer({ questionId, answer });
    } catch (error) {
      if (!(error instanceof NotAsked)) throw error;
      throw new WorkspaceError("not_found", "The question is not open any more.", { cause: error });
    }
  }

  /** Ends a turn with all its processes. One that has not begun yet will not run. */
  async stop(turnId: string): Promise<void> {
    const running = this.#running.get(turnId);
    if (running !== undefined) return running.turn.stop();
    this.#stoppedEarly.add(turnId);
    const [oldest] = this.#stoppedEarly;
    if (oldest !== undefined && this.#stoppedEarly.size > MAX_STOPPED_EARLY) this.#stoppedEarly.delete(oldest);
  }

  /** Deletes all that is kept of these sessions, after ending what still writes to them. */
  async deleteSessions(sessionIds: readonly string[]): Promise<void> {
    const writing = [...this.#running.values()].filter(({ sessionId }) => sessionIds.includes(sessionId));
    await Promise.all(writing.map(({ turn }) => turn.stop()));
    for (const sessionId of sessionIds) this.sessions.delete(sessionId);
  }

  /** Ends all turns and accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.values()].map(({ turn }) => turn.stop()));
  }
}

/** Opens a host, after ending what an earlier start left running. */
export const openHarnessHost = async (setup: SdkSetup, place: HostPlace): Promise<HarnessHost> => {
  await endLeftTurns(turnRecordsIn(place.stateDir));
  return new HarnessHost(setup, place);
};
