/** Undoing what a run did to files in a directory on a person's machine (api.md §10). */
import { describe, inject, it } from "vitest";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { callTool, say } from "../../support/model-script.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { personWithRun } from "../../support/workerd/undo-client.ts";
import { readText, write } from "../../support/workspace/workspace-under-test.ts";

const AWAY = { WORKSPACE_URL: "http://127.0.0.1:1", WORKSPACE_TOKEN: "none" };

/** A person whose agent works on these files, in a directory of its own below the one that is served. */
const personOnHost = async (files: Readonly<Record<string, string>>) => {
  const { url, token } = inject("harnessHost");
  const person = await personWithRun();
  const threadId = crypto.randomUUID();
  const workspace = new HostWorkspace({ url, token });
  const at = (name: string) => `${threadId}/${name}`;
  const isAway = (away: boolean) =>
    planVariables(threadId, away ? AWAY : { WORKSPACE_URL: url, WORKSPACE_TOKEN: token });
  isAway(false);
  for (const [name, text] of Object.entries(files)) await write(workspace, at(name), text);
  return {
    ...person,
    threadId,
    at,
    isAway,
    workspace,
    runs: (...calls: Parameters<typeof callTool>[]) =>
      person.run([...calls.map((call) => callTool(...call)), say("Done.")], threadId),
    textOf: (name: string) => readText(workspace, at(name)),
    edit: (name: string, oldText: string, newText: string): Parameters<typeof callTool> => [
      "edit_file",
      { path: at(name), oldText, newText },
    ],
    /** State and reason of each file of an undo, by name. */
    states: async (body = {}) =>
      Object.fromEntries(
        (await person.undo(body)).files.map(({ path, state, reason }) => [
          path.slice(threadId.length + 1),
          [state, reason],
        ]),
      ),
  };
};

describe("undoing a run on a host", () => {
  it("changes files back, brings deleted ones back and deletes new ones; a command stays", async ({ expect }) => {
    const { runs, undo, states, textOf, edit, at, workspace } = await personOnHost({
      "a.txt": "one\n",
      "b.txt": "bye\n",
    });
    await runs(
      edit("a.txt", "one", "two"),
      ["delete_file", { path: at("b.txt") }],
      ["write_file", { path: at("new.txt"), content: "hello" }],
      ["run_shell", { command: `echo kept > ${at("by-command.txt")}` }],
    );
    expect(await states({ dryRun: true })).toEqual({
      "new.txt": ["restore", null],
      "b.txt": ["restore", null],
      "a.txt": ["restore", null],
    });
    expect((await undo()).commands).toBe(1);
    expect([await textOf("a.txt"), await textOf("b.txt")]).toEqual(["one\n", "bye\n"]);
    expect(await workspace.stat(at("new.txt"))).toBeUndefined();
    expect(await textOf("by-command.txt")).toBe("kept\n");
  });

  it("leaves alone what was changed or deleted since, and what was made again", async ({ expect }) => {
    const { runs, states, textOf, edit, at, workspace } = await personOnHost({
      "a.txt": "one",
      "b.txt": "one",
      "c.txt": "c",
    });
    await runs(edit("a.txt", "one", "two"), edit("b.txt", "one", "two"), ["delete_file", { path: at("c.txt") }]);
    await write(workspace, at("a.txt"), "mine");
    await workspace.delete(at("b.txt"));
    await write(workspace, at("c.txt"), "mine too");
    const changed = ["conflict", "changed"];
    expect(await states()).toEqual({ "a.txt": changed, "b.txt": changed, "c.txt": changed });
    expect([await textOf("a.txt"), await textOf("c.txt")]).toEqual(["mine", "mine too"]);
    expect(await workspace.stat(at("b.txt"))).toBeUndefined();
  });

  it("says that a file was too large to keep", async ({ expect }) => {
    const large = "x".repeat(1_048_577);
    const { runs, states, at, textOf } = await personOnHost({ "large.txt": large, "exact.txt": large.slice(1) });
    await runs(["delete_file", { path: at("large.txt") }], ["delete_file", { path: at("exact.txt") }]);
    expect(await states()).toEqual({ "exact.txt": ["done", null], "large.txt": ["gone", "too_large"] });
    expect((await textOf("exact.txt"))?.length).toBe(1_048_576);
  });

  it.for<CrashPoint>(["before keptContent", "after keptContent"])(
    "cut off %s, goes on when it is asked again",
    async (point, { expect }) => {
      const { runs, post, states, edit, textOf, threadId } = await personOnHost({ "a.txt": "one", "b.txt": "one" });
      await runs(edit("a.txt", "one", "two"), edit("b.txt", "one", "two"));
      // The Worker asks a second time where the object dies under its first call.
      planCrashes(threadId, [point, point]);
      await post();
      await died(threadId);
      expect(await states()).toEqual({ "a.txt": ["done", null], "b.txt": ["done", null] });
      expect([await textOf("a.txt"), await textOf("b.txt")]).toEqual(["one", "one"]);
    },
  );

  it("that is away says so, and is asked again once it is back", async ({ expect }) => {
    const { runs, states, edit, isAway, textOf } = await personOnHost({ "a.txt": "one" });
    await runs(edit("a.txt", "one", "two"));
    isAway(true);
    expect(await states()).toEqual({ "a.txt": ["conflict", "unreachable"] });
    isAway(false);
    expect(await states()).toEqual({ "a.txt": ["done", null] });
    expect(await textOf("a.txt")).toBe("one");
  });
});
