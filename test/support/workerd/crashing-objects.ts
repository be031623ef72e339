/** The product's objects with crash points between their steps, for the fault tests. */
import { RunJournal } from "../../../src/run/run-journal.ts";
import { RunObject } from "../../../src/run/run-object.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { type CrashPoint, type CrashStep, passCrashPoint } from "./crash-plan.ts";

type Pass = (point: CrashPoint) => Promise<void>;

const around = async <Result>(pass: Pass, step: CrashStep, run: () => Promise<Result> | Result): Promise<Result> => {
  await pass(`before ${step}`);
  const result = await run();
  await pass(`after ${step}`);
  return result;
};

class CrashingJournal extends RunJournal {
  readonly #pass: Pass;

  constructor(deps: ConstructorParameters<typeof RunJournal>[0], pass: Pass) {
    super(deps);
    this.#pass = pass;
  }

  override openMessage(...args: Parameters<RunJournal["openMessage"]>) {
    return around(this.#pass, "openMessage", () => super.openMessage(...args));
  }
  override discardMessage(...args: Parameters<RunJournal["discardMessage"]>) {
    return around(this.#pass, "discardMessage", () => super.discardMessage(...args));
  }
  override closeMessage(...args: Parameters<RunJournal["closeMessage"]>) {
    return around(this.#pass, "closeMessage", () => super.closeMessage(...args));
  }
  override modelRetry(...args: Parameters<RunJournal["modelRetry"]>) {
    return around(this.#pass, "modelRetry", () => super.modelRetry(...args));
  }
  override ask(...args: Parameters<RunJournal["ask"]>) {
    return around(this.#pass, "ask", () => super.ask(...args));
  }
  override allowByRule(...args: Parameters<RunJournal["allowByRule"]>) {
    return around(this.#pass, "allowByRule", () => super.allowByRule(...args));
  }
  override markStarted(...args: Parameters<RunJournal["markStarted"]>) {
    return around(this.#pass, "markStarted", () => super.markStarted(...args));
  }
  override endCall(...args: Parameters<RunJournal["endCall"]>) {
    return around(this.#pass, "endCall", () => super.endCall(...args));
  }
}

/** Dies where the plan for its thread says so. */
export class CrashingRunObject extends RunObject {
  protected override createJournal(deps: ConstructorParameters<typeof RunJournal>[0]): RunJournal {
    return new CrashingJournal(deps, (point) => this.#pass(deps.ledger.record().spec.threadId, point));
  }

  protected override sendRow(row: Parameters<RunObject["sendRow"]>[0]): Promise<void> {
    const pass: Pass = (point) => this.#pass(this.threadId(), point);
    return around(pass, `send ${row.receiver.split(":")[0]}`, () => super.sendRow(row));
  }

  #pass(threadId: string, point: CrashPoint): Promise<void> {
    return passCrashPoint(threadId, point, this.ctx);
  }

  private threadId(): string {
    const { spec } = this.ctx.storage.sql.exec<{ spec: string }>("SELECT spec FROM run").one();
    return JSON.parse(spec).threadId;
  }
}

/** Dies where the plan for any of its sessions says so; the plan's id is `session`. */
export class CrashingSessionObject extends SessionObject {
  #around<Result>(step: CrashStep, run: () => Promise<Result> | Result): Promise<Result> {
    return around((point) => passCrashPoint("session", point, this.ctx), step, run);
  }
  override enqueue(...args: Parameters<SessionObject["enqueue"]>) {
    return this.#around("enqueue", () => super.enqueue(...args));
  }
  override load(...args: Parameters<SessionObject["load"]>) {
    return this.#around("load", () => super.load(...args));
  }
  override listRules() {
    return this.#around("listRules", () => super.listRules());
  }
  override finish(...args: Parameters<SessionObject["finish"]>) {
    return this.#around("finish", () => super.finish(...args));
  }
}
