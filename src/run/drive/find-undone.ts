/** What the person has undone of a thread's earlier runs, from the objects of those runs. */
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";
import { openDb } from "../../db/db.ts";
import { listUndoneRuns } from "../../db/undo/undone-runs.ts";
import type { Env } from "../../env.ts";
import type { UndoneTurn } from "../../harness/undone.ts";
import { reach } from "../../objects/reach.ts";
import type { RunSpec } from "../run-spec.ts";

/** How long a turn waits for it, in ms. It goes on without, and the next one is told. */
const MAX_WAIT_MS = 3_000;

/** Oldest first. All of them or none: what is told says until when everything was. Never rejects. */
export const findUndone = async (env: Env, spec: RunSpec): Promise<readonly UndoneTurn[]> => {
  const { runId, ownerEmail } = spec;
  try {
    return await within(MAX_WAIT_MS, async () => {
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
