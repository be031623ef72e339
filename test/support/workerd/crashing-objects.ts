/** The product's objects with crash points between their steps, for the fault tests. */
import type { Env } from "../../../src/env.ts";
import { RunJournal } from "../../../src/run/drive/run-journal.ts";
import { RunObject } from "../../../src/run/run-object.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { type CrashPoint, type CrashStep, passCrashPoint } from "./crash-plan.ts";
import { limitSql } from "./row-limit.ts";
import { withPlannedVariables } from "./run-variables.ts";

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
  override askQuestions(...args: Parameters<RunJournal["askQuestions"]>) {
    return around(this.#pass, "askQuestions", () => super.askQuestions(...args));
  }
  override takeMessages(...args: Parameters<RunJournal["takeMessages"]>) {
    return around(this.#pass, "takeMessages", () => super.takeMessages(...args));
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

type SessionStub = ReturnType<Env["SESSIONS"]["getByName"]>;

/**
 * The session as a run's keeper calls it: behind the call, and before the run tells of it, is a moment to die at as well. Only
 * what the keeper calls has points; all else is the session's own.
 */
const keptIn = (session: SessionStub, pass: Pass): SessionStub =>
  new Proxy(session, {
    get: (_, name) => {
      if (name === "saveCompaction")
        return (...args: Parameters<SessionStub["saveCompaction"]>) =>
          around(pass, name, async () => await session.saveCompaction(...args));
      if (name === "startEpoch")
        return (...args: Parameters<SessionStub["startEpoch"]>) =>
          around(pass, name, async () => await session.startEpoch(...args));
      return Reflect.get(session, name);
    },
  });

const withSessions = (env: Env, wrap: (session: SessionStub) => SessionStub): Env => {
  const sessions = env.SESSIONS;
  const getByName: Env["SESSIONS"]["getByName"] = (...args) => wrap(sessions.getByName(...args));
  const wrapped = new Proxy(sessions, {
    get: (_, name) => (name === "getByName" ? getByName : Reflect.get(sessions, name)),
  });
  return { ...env, SESSIONS: wrapped };
};

type WorkspaceStub = ReturnType<Env["WORKSPACES"]["getByName"]>;

/** Files as the run changes them, keeps them and puts them back: it dies around its call, and the workspace goes on. */
const changedBy = (workspace: WorkspaceStub, pass: Pass): WorkspaceStub =>
  new Proxy(workspace, {
    get: (_, name) => {
      if (name === "write")
        return (...args: Parameters<WorkspaceStub["write"]>) =>
          around(pass, name, async () => await workspace.write(...args));
      if (name === "keep")
        return (...args: Parameters<WorkspaceStub["keep"]>) =>
          around(pass, name, async () => await workspace.keep(...args));
      if (name === "keptContent")
        return (...args: Parameters<WorkspaceStub["keptContent"]>) =>
          around(pass, name, async () => await workspace.keptContent(...args));
      return Reflect.get(workspace, name);
    },
  });

const withWorkspaces = (env: Env, wrap: (workspace: WorkspaceStub) => WorkspaceStub): Env => {
  const workspaces = env.WORKSPACES;
  const getByName: Env["WORKSPACES"]["getByName"] = (...args) => wrap(workspaces.getByName(...args));
  const wrapped = new Proxy(workspaces, {
    get: (_, name) => (name === "getByName" ? getByName : Reflect.get(workspaces, name)),
  });
  return { ...env, WORKSPACES: wrapped };
};

/**
 * Batches that a person waits for and that change something: in a run's object, those of an undo. Its other ones go to the database
 * directly.
 */
const withBatches = (env: Env, pass: Pass): Env => {
  const db = env.DB;
  const changes = new WeakSet<D1PreparedStatement>();
  const prepareIn = (database: Pick<D1Database, "prepare">, query: string): D1PreparedStatement => {
    const statement = database.prepare(query);
    if (/^\s*select\b/i.test(query)) return statement;
    const bind = statement.bind.bind(statement);
    statement.bind = (...values) => {
      const bound = bind(...values);
      changes.add(bound);
      return bound;
    };
    return statement;
  };
  const withSession: D1Database["withSession"] = (constraint) => {
    const session = db.withSession(constraint);
    return {
      prepare: (query) => prepareIn(session, query),
      getBookmark: () => session.getBookmark(),
      batch: (statements) => {
        const batch = () => session.batch<never>(statements);
        return statements.some((one) => changes.has(one)) ? around(pass, "undo", batch) : batch();
      },
    };
  };
  const wrapped = new Proxy(db, {
    get: (_, name) => {
      if (name === "withSession") return withSession;
      if (name === "prepare") return (query: string) => prepareIn(db, query);
      const found: unknown = Reflect.get(db, name);
      return typeof found === "function" ? found.bind(db) : found;
    },
  });
  return { ...env, DB: wrapped };
};

/** Dies where the plan for its thread says so, and sees the variables that are planned for it. */
export class CrashingRunObject extends RunObject {
  constructor(ctx: DurableObjectState, env: Env) {
    limitSql(ctx.storage.sql);
    const pass: Pass = (point) => this.#pass(threadIdIn(ctx) ?? "", point);
    const points = [
      (given: Env) => withSessions(given, (session) => keptIn(session, pass)),
      (given: Env) => withWorkspaces(given, (workspace) => changedBy(workspace, pass)),
      (given: Env) => withBatches(given, pass),
    ];
    super(
      ctx,
      withPlannedVariables(
        points.reduce((given, wrap) => wrap(given), env),
        () => threadIdIn(ctx),
      ),
    );
  }

  protected override createJournal(deps: ConstructorParameters<typeof RunJournal>[0]): RunJournal {
    return new CrashingJournal(deps, (point) => this.#pass(deps.ledger.record().spec.threadId, point));
  }

  protected override sendRow(row: Parameters<RunObject["sendRow"]>[0]): Promise<void> {
    const pass: Pass = (point) => this.#pass(threadIdIn(this.ctx) ?? "", point);
    return around(pass, `send ${row.receiver.split(":")[0]}`, () => super.sendRow(row));
  }

  #pass(threadId: string, point: CrashPoint): Promise<void> {
    return passCrashPoint(threadId, point, this.ctx);
  }
}

const threadIds = new WeakMap<DurableObjectState, string>();

/** The thread of the run that an object holds, undefined before it holds one. Read once: some tests count rows. */
const threadIdIn = (ctx: DurableObjectState): string | undefined => {
  const threadId = threadIds.get(ctx) ?? readThreadId(ctx);
  if (threadId !== undefined) threadIds.set(ctx, threadId);
  return threadId;
};

const readThreadId = ({ storage: { sql } }: DurableObjectState): string | undefined => {
  const [table] = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'run'");
  const [row] = table === undefined ? [] : sql.exec<{ spec: string }>("SELECT spec FROM run");
  return row && JSON.parse(row.spec).threadId;
};

/** Dies where the plan for any of its sessions says so; the plan's id is `session`. */
export class CrashingSessionObject extends SessionObject {
  constructor(...args: ConstructorParameters<typeof SessionObject>) {
    limitSql(args[0].storage.sql);
    super(...args);
  }
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
  override saveCompaction(...args: Parameters<SessionObject["saveCompaction"]>) {
    return this.#around("saveCompaction", () => super.saveCompaction(...args));
  }
  override reserve(...args: Parameters<SessionObject["reserve"]>) {
    return this.#around("reserve", () => super.reserve(...args));
  }
  override rewind(...args: Parameters<SessionObject["rewind"]>) {
    return this.#around("rewind", () => super.rewind(...args));
  }
  override startEpoch(...args: Parameters<SessionObject["startEpoch"]>) {
    return this.#around("startEpoch", () => super.startEpoch(...args));
  }
}
