/** What a run costs: a written row is billed a thousand times as high as one that is read, so rows have a budget. */
import { env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import type { RunId } from "../../../src/contract/ids.ts";
import type { EventOf } from "../../../src/contract/transcript.ts";
import { burst, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { runClient } from "../../support/workerd/run-client.ts";

/** Rows a run of one short answer writes: its start, its place, its end, its hand-over. */
const FIXED_ROWS = 16;

/** Alarms a run sets, each billed as a row: the watchdog and the retention. */
const ALARM_ROWS = 2;

/** The first frame of a text, which waits for nothing; each after it comes 50 ms later or more. */
const FIRST_FRAME_ROWS = 1;

/** Rows SQLite has written in the run's object since it was made; none of its tables has a second index. */
const rowsWritten = async (runId: RunId): Promise<number> => {
  const counted = await runInDurableObject(env.RUNS.getByName(runId), (_, { storage }) =>
    storage.sql.exec<{ n: number }>("SELECT total_changes() AS n").one(),
  );
  return counted.n + ALARM_ROWS;
};

/** Rows that a run of this length may write: a frame has a row of its own and comes every 50 ms at most, but for the last, which does not wait. */
const mostRows = (end: EventOf<"run_end"> | undefined): number =>
  FIXED_ROWS + ALARM_ROWS + FIRST_FRAME_ROWS + Math.ceil(20 * ((end?.durationMs ?? 0) / 1_000));

it("writes at most 20 rows for a burst of 2,000 deltas (decision 0002), one more for each 50 ms it takes to arrive", async ({
  expect,
}) => {
  const model = await scriptModel(inject("modelUrl"), [burst(2_000)]);
  const client = runClient("burst@example.com");
  const turn = await client.startTurn("burst", model.prompt("Go"));
  const end = (await client.follow(turn.events)).find((event) => event.type === "run_end");
  await client.wake(turn.runId);
  expect(await rowsWritten(turn.runId)).toBeLessThanOrEqual(Math.max(20, mostRows(end)));
});

it("writes at most 20 rows a second for a slow stream (decision 0002)", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("word ".repeat(200), { deltas: 200, delayMs: 5 })]);
  const client = runClient("slow@example.com");
  const turn = await client.startTurn("slow", model.prompt("Go"));
  const end = (await client.follow(turn.events)).find((event) => event.type === "run_end");
  await client.wake(turn.runId);
  expect(await rowsWritten(turn.runId)).toBeLessThanOrEqual(mostRows(end));
});
