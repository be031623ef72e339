/** Files as they were before a run changed them: how much is kept, for how long, and what it goes with (decision 0147). */
import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { z } from "zod";
import { continueDeletion } from "../../../src/account/delete-account.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { callTool, say } from "../../support/model-script.ts";
import { chat } from "../../support/workerd/chat.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { postUndo } from "../../support/workerd/undo-client.ts";

const Undone = z.object({
  body: z.object({ files: z.array(z.object({ state: z.string(), reason: z.string().nullable() })) }),
});

const AWAY = { WORKSPACE_URL: "http://127.0.0.1:1", WORKSPACE_TOKEN: "none" };

const DAY_MS = 24 * 3_600_000;

const edit = () => callTool("edit_file", { path: "a.txt", oldText: "one", newText: "two" });

/** A chat in which turns edit a file; the person writes it anew before each. */
const editing = async (turns: number) => {
  const talk = await chat(Array.from({ length: turns }, () => [edit(), say("Done.")]).flat(), { "a.txt": "one" });
  const workspace = () => workspaceObjectOf(env.WORKSPACES, OwnerEmail.parse(talk.person.email));
  return {
    ...talk,
    /** Runs a turn that edits the file, and returns its id. */
    edited: async () => {
      await talk.workspace.write("a.txt", new TextEncoder().encode("one"));
      const { runId } = await talk.start("Edit it");
      await talk.person.followAllowing(runId);
      await talk.handedOver();
      return runId;
    },
    /** Changes what the owner's object stores, and has it begin again. */
    change: async (sql: string, ...values: readonly number[]) => {
      const object = await workspace();
      await runInDurableObject(object, (_, { storage }) => storage.sql.exec(sql, ...values));
      await evictDurableObject(object);
    },
    ring: async () => await runDurableObjectAlarm(await workspace()),
    kept: async () =>
      await runInDurableObject(await workspace(), (_, { storage }) =>
        [...storage.sql.exec<{ run_id: string }>("SELECT run_id FROM kept_file ORDER BY place")].map(
          (row) => row.run_id,
        ),
      ),
    /** The tables of the owner's object. */
    tables: async () =>
      await runInDurableObject(await workspace(), (_, { storage }) =>
        [...storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master")].map(({ name }) => name),
      ),
    undo: async (runId: string) => Undone.parse(await postUndo(talk.person, runId)).body.files,
  };
};

describe("what an owner's runs keep", () => {
  it("is at most 100 MiB: the oldest gives way, and its run says so", async ({ expect }) => {
    const { edited, change, kept, undo } = await editing(3);
    const [first, second] = [await edited(), await edited()];
    // As if the first had been larger than files can be, so that the next one passes the limit by two bytes.
    await change("UPDATE kept_file SET size = 100 * 1024 * 1024 - 4 WHERE place = 1");
    const third = await edited();
    expect(await kept()).toEqual([second, third]);
    expect(await undo(first)).toEqual([expect.objectContaining({ state: "gone", reason: "not_kept" })]);
    expect(await undo(third)).toEqual([expect.objectContaining({ state: "done" })]);
  });

  it("is kept for 30 days", async ({ expect }) => {
    const { edited, change, kept, ring } = await editing(2);
    await edited();
    const second = await edited();
    await change("UPDATE kept_file SET kept_at_ms = ? WHERE place = 1", Date.now() - 30 * DAY_MS - 1);
    expect(await ring()).toBe(true);
    expect(await kept()).toEqual([second]);
    // It comes back for the next one, and for nothing after that.
    await change("UPDATE kept_file SET kept_at_ms = ?", Date.now() - 30 * DAY_MS - 1);
    expect([await ring(), await kept(), await ring()]).toEqual([true, [], false]);
  });
});

describe("what was kept goes with its run", () => {
  it("when the thread is deleted", async ({ expect }) => {
    const { edited, kept, person, thread } = await editing(1);
    const runId = await edited();
    expect(await kept()).toEqual([runId]);
    await person.ask("DELETE", person.threadPath(thread));
    expect(await kept()).toEqual([]);
  });

  it("when the thread is deleted while its host is away", async ({ expect }) => {
    const { edited, kept, person, thread } = await editing(1);
    await edited();
    planVariables(thread, AWAY);
    expect(await person.ask("DELETE", person.threadPath(thread))).toMatchObject({ status: 200 });
    expect(await kept()).toEqual([]);
  });

  it("when the account is deleted while its host is away", async ({ expect }) => {
    const { edited, tables, person, thread } = await editing(1);
    await edited();
    expect(await tables()).toContain("kept_file");
    planVariables(thread, AWAY);
    const deletion = { ownerEmail: OwnerEmail.parse(person.email), requestedAtMs: Date.now() };
    await requestDeletion(openDb(env.DB), deletion.ownerEmail, deletion.requestedAtMs);
    await continueDeletion(env, deletion, Date.now());
    expect(await tables()).not.toContain("kept_file");
  });
});
