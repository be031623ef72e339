/** What was said in a thread with its other harnesses since this run's own harness had its last turn. */
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";
import { openDb } from "../../db/db.ts";
import { listRunsElsewhere } from "../../db/runs-elsewhere.ts";
import type { Env } from "../../env.ts";
import type { SaidTurn } from "../../harness/adapter.ts";
import { findHarness, loadHarness } from "../../harness/registry.ts";
import { NOTHING_STORED } from "../../harness/stored-conversation.ts";
import { reach } from "../../objects/reach.ts";
import type { RunSpec } from "../run-spec.ts";

/** How long a turn waits for it, in ms. It only helps the agent: a turn goes on without it. */
const MAX_WAIT_MS = 5_000;

/** Oldest first. Of each session only its newest page is read, which holds more than is told. Never rejects. */
export const saidElsewhere = async (env: Env, spec: RunSpec): Promise<readonly SaidTurn[]> => {
  try {
    return await within(MAX_WAIT_MS, () => findSaid(env, spec));
  } catch (error) {
    log.warn("Nothing is told of the other harness.", { runId: spec.runId, error });
    return [];
  }
};

const findSaid = async (env: Env, spec: RunSpec): Promise<readonly SaidTurn[]> => {
  const runs = await listRunsElsewhere(openDb(env.DB), spec);
  const sessions = [...Map.groupBy(runs, ({ sessionId }) => sessionId)];
  const said = await Promise.all(
    sessions.map(async ([sessionId, [run]]) => {
      const page = await reach(async () => await env.SESSIONS.getByName(sessionId).exportPage(null));
      const rows = page.blocks.toReversed();
      const name = run?.harness ?? "";
      if (findHarness(name) === undefined) return [];
      return (await loadHarness(name)).resume({ ...NOTHING_STORED, rows }).saidTurns();
    }),
  );
  const byRun = new Map(said.flat().map((turn) => [turn.runId, turn]));
  return runs.flatMap(({ runId }) => byRun.get(runId) ?? []);
};
