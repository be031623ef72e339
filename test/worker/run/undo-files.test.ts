/** Undoing what a run did to files (api.md §10): byte for byte, and only if they still are what the run made them. */
import { env } from "cloudflare:test";
import { describe, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable/durable-workspace.ts";
import { callTool, say } from "../../support/model-script.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { personWithRun } from "../../support/workerd/undo-client.ts";
import { listed, readText, writeAll } from "../../support/workspace/workspace-under-test.ts";

/** A person with an agent and with files, path to text. */
const personWithFiles = async (files: Readonly<Record<string, string>>) => {
  const person = await personWithRun();
  const workspace = await openDurableWorkspace(env.WORKSPACES, OwnerEmail.parse(person.client.email));
  await writeAll(workspace, files);
  return { ...person, workspace, textOf: (path: string) => readText(workspace, path), paths: () => listed(workspace) };
};

const edit = (path: string, oldText: string, newText: string) => callTool("edit_file", { path, oldText, newText });

describe("undoing a run", () => {
  it("gives files their former content, brings deleted ones back and deletes new ones", async ({ expect }) => {
    const { run, undo, textOf, paths } = await personWithFiles({ "a.txt": "one\n", "b/gone.txt": "bye\n" });
    await run([
      edit("a.txt", "one", "two"),
      edit("a.txt", "two", "three"),
      callTool("delete_file", { path: "b/gone.txt" }),
      callTool("write_file", { path: "c/new.txt", content: "hello" }),
      say("Done."),
    ]);
    const items = [
      { path: "c/new.txt", effect: "remove", reason: null },
      { path: "b/gone.txt", effect: "bring_back", reason: null },
      { path: "a.txt", effect: "change_back", reason: null },
    ];
    const shown = items.map((item) => ({ ...item, state: "restore" }));
    expect(await undo({ dryRun: true })).toEqual({ stocks: [], files: shown, commands: 0, schedules: 0 });
    expect(await textOf("a.txt")).toBe("three\n");
    const done = items.map((item) => ({ ...item, state: "done" }));
    expect((await undo()).files).toEqual(done);
    expect([await textOf("a.txt"), await textOf("b/gone.txt"), await paths()]).toEqual([
      ...["one\n", "bye\n", ["a.txt", "b/gone.txt"]],
    ]);
    expect((await undo()).files).toEqual(done);
  });

  it("says nothing of a file that the run itself took back, and stays done when it is changed later", async ({
    expect,
  }) => {
    const { run, undo, workspace } = await personWithFiles({ "a.txt": "one" });
    await run([
      callTool("write_file", { path: "scratch", content: "x" }),
      edit("a.txt", "one", "two"),
      callTool("delete_file", { path: "scratch" }),
      say("Done."),
    ]);
    await undo();
    await writeAll(workspace, { "a.txt": "something new" });
    expect((await undo()).files).toEqual([{ path: "a.txt", state: "done", effect: "change_back", reason: null }]);
  });

  it("leaves alone what was changed since, and between the run's changes", async ({ expect }) => {
    const { run, undo, workspace, textOf } = await personWithFiles({
      "a.txt": "one\n",
      "b.txt": "one\n",
      "c.txt": "1",
    });
    await run([
      edit("a.txt", "one", "two"),
      edit("b.txt", "one", "two"),
      callTool("run_shell", { command: "echo more >> b.txt" }),
      edit("b.txt", "two", "three"),
      edit("c.txt", "1", "2"),
      say("Done."),
    ]);
    await writeAll(workspace, { "a.txt": "mine" });
    const changed = { state: "conflict", effect: "change_back", reason: "changed" };
    expect(await undo()).toMatchObject({
      files: [
        { path: "c.txt", state: "done" },
        { path: "b.txt", ...changed },
        { path: "a.txt", ...changed },
      ],
      commands: 1,
    });
    expect([await textOf("a.txt"), await textOf("b.txt")]).toEqual(["mine", "three\nmore\n"]);
  });

  it("says that a file was too large to keep", async ({ expect }) => {
    const large = "x".repeat(1_048_577);
    const { run, undo, paths } = await personWithFiles({ "large.txt": large, "exact.txt": large.slice(1) });
    await run([
      callTool("delete_file", { path: "large.txt" }),
      callTool("delete_file", { path: "exact.txt" }),
      say("Done."),
    ]);
    expect((await undo()).files).toEqual([
      { path: "exact.txt", state: "done", effect: "bring_back", reason: null },
      { path: "large.txt", state: "gone", effect: "bring_back", reason: "too_large" },
    ]);
    expect(await paths()).toEqual(["exact.txt"]);
  });

  it("lists no file of a call that was refused or failed", async ({ expect }) => {
    const { run, undo } = await personWithFiles({ "a.txt": "one" });
    await run([edit("a.txt", "nothing like it", "x"), callTool("delete_file", { path: "none" }), say("Done.")]);
    expect((await undo()).files).toEqual([]);
  });
});

describe("a run or an undo that is cut off", () => {
  it.for<CrashPoint>([
    "before markStarted",
    "after markStarted",
    "before keep",
    "after keep",
    "before write",
    "after write",
    "before endCall",
  ])("of a run that died %s, knows the file as it was", async (point, { expect }) => {
    const { run, undo, textOf } = await personWithFiles({ "a.txt": "one" });
    const threadId = `undo of a run that died ${point}`;
    planCrashes(threadId, [point]);
    await run([edit("a.txt", "one", "two"), say("Done.")], threadId);
    await died(threadId);
    expect(await textOf("a.txt")).toBe("two");
    expect((await undo()).files).toMatchObject([{ path: "a.txt", state: "done" }]);
    expect(await textOf("a.txt")).toBe("one");
  });

  it.for<CrashPoint>(["before write", "after write"])("of an undo that died %s, goes on", async (point, { expect }) => {
    const { run, post, undo, textOf } = await personWithFiles({ "a.txt": "one", "b.txt": "one" });
    const threadId = `undo that died ${point}`;
    await run([edit("a.txt", "one", "two"), edit("b.txt", "one", "two"), say("Done.")], threadId);
    planCrashes(threadId, [point, point]);
    await post();
    await died(threadId);
    expect((await undo()).files.map(({ state }) => state)).toEqual(["done", "done"]);
    expect([await textOf("a.txt"), await textOf("b.txt")]).toEqual(["one", "one"]);
  });
});
