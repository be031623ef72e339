/** What a turn is told about its thread: what was said with other harnesses since its own harness's last turn, and what was undone. */
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";
import { openDb } from "../../db/db.ts";
import { listRunsElsewhere } from "../../db/runs-elsewhere.ts";
import { listUndoneRuns } from "../../db/undo/undone-runs.ts";
import type { Env } from "../../env.ts";
import type { SaidTurn } from "../../harness/adapter.ts";
import { findHarness, loadHarness } from "../../harness/registry.ts";
import { NOTHING_STORED } from "../../harness/stored-conversation.ts";
import type { UndoneTurn } from "../../harness/undone.ts";
import { reach } from "../../objects/reach.ts";
import type { StoredBlock } from "../../session/conversation-store.ts";
import type { RunSpec } from "../run-spec.ts";

/** How long a turn waits for what was said with other harnesses, in ms. It only helps the agent: a turn goes on without it. */
const MAX_WAIT_MS = 5_000;

/**
 * What was said in the thread with its other harnesses, oldest first. Only the newest page of each session is read, which holds more than
 * is told. `leftOut`: runs whose turns are no longer sent, so what was told in those turns does not count. Never rejects.
 */
export const saidElsewhere = async (
  env: Env,
  spec: RunSpec,
  leftOut: readonly string[],
): Promise<readonly SaidTurn[]> => {
  try {
    return await within(MAX_WAIT_MS, () => findSaid(env, spec, leftOut));
  } catch (error) {
    log.warn("Nothing is told of the other harness.", { runId: spec.runId, error });
    return [];
  }
};

const findSaid = async (env: Env, spec: RunSpec, leftOut: readonly string[]): Promise<readonly SaidTurn[]> => {
  const runs = await listRunsElsewhere(openDb(env.DB), spec, leftOut);
  const sessions = [...Map.groupBy(runs, ({ sessionId }) => sessionId)];
  const said = await Promise.all(
    sessions.map(async ([sessionId, [run]]) => {
      const page = await reach(async () => await env.SESSIONS.getByName(sessionId).exportPage(null));
      const rows = inOneEpoch(page.blocks.toReversed());
      const name = run?.harness ?? "";
      if (findHarness(name) === undefined) return [];
      // What a model has refused would be refused again if it were sent, or would spoil the other harness's conversation for good.
      // An object of the earlier release does not say what was omitted.
      const omitted = page.omitted ?? {};
      const turns = (await loadHarness(name)).resume({ ...NOTHING_STORED, omitted, rows }).saidTurns();
      return turns.filter(({ isRefused }) => isRefused !== true);
    }),
  );
  const byRun = new Map(said.flat().map((turn) => [turn.runId, turn]));
  return runs.flatMap(({ runId }) => byRun.get(runId) ?? []);
};

/**
 * The rows of each run in the first epoch that has the whole run. An epoch that begins with turns of the epoch before repeats them,
 * plainer, with a summary among what the person wrote. If a run's first message is not on the page, all of the run's rows there are kept.
 */
const inOneEpoch = (rows: readonly StoredBlock[]): StoredBlock[] => {
  const epochs = new Map<string, number>();
  for (const { runId, epoch, message } of rows) if (message === 0 && !epochs.has(runId)) epochs.set(runId, epoch);
  return rows.filter(({ runId, epoch }) => (epochs.get(runId) ?? epoch) === epoch);
};

/** How long a turn waits for what was undone, in ms. After that it goes on without, and the next turn is told. */
const MAX_UNDONE_WAIT_MS = 3_000;

/**
 * What the person has undone of the thread's earlier runs, from the objects of those runs. Oldest first. Returns all of them or none: a
 * thread remembers only up to which time it was told, so a run that is left out would never be told. Never rejects.
 */
export const findUndone = async (env: Env, spec: RunSpec): Promise<readonly UndoneTurn[]> => {
  const { runId, ownerEmail } = spec;
  try {
    return await within(MAX_UNDONE_WAIT_MS, async () => {
      const undone = await listUndoneRuns(openDb(env.DB), spec);
      const turns = undone.map(async (run): Promise<UndoneTurn[]> => {
        const told = await reach(async () => await env.RUNS.getByName(run.runId).undone(ownerEmail));
        return told === undefined ? [] : [{ ...told, undoneAtMs: run.undoneAtMs }];
      });
      return (await Promise.all(turns)).flat();
    });
  } catch (error) {
    log.warn("Nothing is told of what was undone.", { runId, error });
    return [];
  }
};
