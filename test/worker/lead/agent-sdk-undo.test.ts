/**
 * Undoing a turn of the agent SDK: what it edits is kept before, and its commands are counted. The scripted SDK edits nothing, so a file
 * is as it was before the turn, which an undo finds done; one that was not kept would be gone.
 */
import { env, runInDurableObject } from "cloudflare:test";
import { it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { sdkThread } from "../../support/workerd/sdk-thread.ts";

const undo = (runId: string) => askAsDeveloper("POST", `/_framework/runs/${runId}/undo`, { dryRun: true });

/** The text of each file that was kept for a run, by its path. */
const keptOf = async (runId: string) =>
  await runInDurableObject(
    await workspaceObjectOf(env.WORKSPACES, OwnerEmail.parse("dev@local.test")),
    (_, { storage }) =>
      [
        ...storage.sql.exec<{ path: string; content: ArrayBuffer }>(
          "SELECT path, content FROM kept_file WHERE run_id = ?",
          runId,
        ),
      ].map(({ path, content }) => [path, new TextDecoder().decode(content)]),
  );

it("what an edit replaces is kept before it is made", async ({ expect }) => {
  const run = await sdkThread().start("[replay:read-edits-stock] Do it");
  const { seq } = await run.decideNext(0, "allow_once");
  await run.decideNext(seq, "reject");
  expectWhole(await run.events(), "completed");
  expect(await keptOf(run.runId)).toEqual([["notes.txt", "one\n"]]);
  const file = { path: "notes.txt", effect: "change_back", state: "done", reason: null };
  expect(await undo(run.runId)).toMatchObject({ status: 200, body: { stocks: [], files: [file], commands: 0 } });
});

it("commands cannot be undone, and are counted", async ({ expect }) => {
  const run = await sdkThread().start("[replay:commands] Run them");
  const first = await run.decideNext(0, "allow_once");
  const second = await run.decideNext(first.seq, "allow_once");
  await run.decideNext(second.seq, "reject");
  expectWhole(await run.events(), "completed");
  expect(await undo(run.runId)).toMatchObject({ status: 200, body: { stocks: [], files: [], commands: 2 } });
});
