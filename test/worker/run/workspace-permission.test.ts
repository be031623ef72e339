/** What a person agrees to is what is done to their files: the diff that was shown, or nothing (api.md §3 and §4). */
import { describe, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { endsOf, turnOnFiles } from "../../support/workerd/person-with-files.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { write } from "../../support/workspace/workspace-under-test.ts";

const FILES = { "notes.md": "one\ntwo\n", "src/app.ts": "export const a = 1;\n", "src/b/c.ts": "let b;\n" };

const edit = (path: string, oldText: string, newText: string) => ({
  name: "edit_file",
  input: { path, oldText, newText },
});

const STALE =
  "src/app.ts has changed since this change was shown, so nothing was written. Read it again, then call the tool again.";

describe("an edit of a file", () => {
  it("is shown as a unified diff before anything is written, and that is what is written", async ({ expect }) => {
    const { asked, decide, toEnd, textOf } = await turnOnFiles(FILES, [
      callTools([edit("src/app.ts", "a = 1", "a = 2")]),
      say("Done."),
    ]);
    const request = await asked();
    const diff = "--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,1 +1,1 @@\n-export const a = 1;\n+export const a = 2;\n";
    expect(request).toMatchObject({
      ...{ tool: "edit_file", kind: "edit", title: "Edit src/app.ts" },
      options: [
        { decision: "allow_once", label: "Allow once" },
        { decision: "allow_always", label: "Always allow edits in src in this chat" },
        { decision: "reject", label: "Reject" },
      ],
    });
    expect(request.subject).toEqual({ type: "edit", path: "src/app.ts", diff });
    expect(await textOf("src/app.ts")).toBe(FILES["src/app.ts"]);
    await decide(request, "allow_once");
    const events = await toEnd();
    expect(theOnly(events, "file_change")).toMatchObject({ path: "src/app.ts", operation: "update", diff });
    expect(await textOf("src/app.ts")).toBe("export const a = 2;\n");
  });

  it.for([
    ["was changed", async (workspace) => write(workspace, "src/app.ts", "export const a = 1; // mine\n")],
    ["was changed beside the place", async (workspace) => write(workspace, "src/app.ts", "export const a = 1;\n//\n")],
    ["was deleted", async (workspace) => workspace.delete("src/app.ts")],
  ] as [string, (workspace: Awaited<ReturnType<typeof turnOnFiles>>["workspace"]) => Promise<void>][])(
    "is not made when the file %s while the person thought; the model is told",
    async ([, change], { expect }) => {
      const { asked, decide, toEnd, workspace, files, model } = await turnOnFiles(FILES, [
        callTools([edit("src/app.ts", "a = 1", "a = 2")]),
        say("I look again."),
      ]);
      const request = await asked();
      await change(workspace);
      const before = await files();
      await decide(request, "allow_once");
      const events = await toEnd();
      expect(endsOf(events)).toEqual([["failed", STALE]]);
      expect(ofType(events, "file_change")).toEqual([]);
      expect(await files()).toEqual(before);
      expect(JSON.stringify((await model.requests()).at(-1)?.body.messages)).toContain("has changed since");
    },
  );

  it("is not made over a file that came meanwhile", async ({ expect }) => {
    const { asked, decide, toEnd, workspace, textOf } = await turnOnFiles(FILES, [
      callTool("write_file", { path: "new.md", content: "agent" }),
      say("Hm."),
    ]);
    const request = await asked();
    await write(workspace, "new.md", "person");
    await decide(request, "allow_once");
    expect(endsOf(await toEnd())).toEqual([["failed", expect.stringMatching(/^new.md has changed since/)]]);
    expect(await textOf("new.md")).toBe("person");
  });

  it("is not made when it is rejected; the model reads the person's words", async ({ expect }) => {
    const { asked, decide, toEnd, textOf, model } = await turnOnFiles(FILES, [
      callTools([edit("notes.md", "two", "2")]),
      say("I leave it."),
    ]);
    await decide(await asked(), "reject", "Keep the words");
    expect(endsOf(await toEnd())).toEqual([["denied", expect.stringContaining("Keep the words")]]);
    expect(await textOf("notes.md")).toBe(FILES["notes.md"]);
    expect(await model.violations()).toEqual([]);
  });

  it("that is too long for its event is whole on the request's own route, and never for always", async ({ expect }) => {
    const content = Array.from({ length: 9_000 }, (_, line) => `line ${line}\n`).join("");
    const { asked, decide, toEnd, client, turn, textOf } = await turnOnFiles({}, [
      callTool("write_file", { path: "src/long.txt", content }),
      say("Done."),
    ]);
    const request = await asked();
    expect(request.subject.truncated).toBe(true);
    expect(request.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
    const whole = await client.ask("GET", `/_framework/runs/${turn.runId}/permissions/${request.requestId}`);
    expect(whole.body).not.toHaveProperty("basis");
    expect(Object(whole.body).subject.diff).toContain("\n+line 8999\n");
    await decide(request, "allow_once");
    expect(theOnly(await toEnd(), "file_change").truncated).toBe(true);
    expect(await textOf("src/long.txt")).toBe(content);
  });

  it("of a file that is not text is described, and can never be allowed always", async ({ expect }) => {
    const { client, workspace, model } = await turnOnFiles({}, [say("Hi.")]);
    await workspace.write("src/image.bin", Uint8Array.of(0, 1, 2));
    await model.add([callTool("delete_file", { path: "src/image.bin" }), say("Done.")]);
    const turn = await client.startTurn("other", model.prompt("Delete it"));
    const request = theOnly(await client.eventsUntil(turn.events, "permission_request"), "permission_request");
    expect(request.subject).toEqual({
      ...{ type: "edit", path: "src/image.bin", truncated: true },
      diff: "--- a/src/image.bin\n+++ /dev/null\nNot shown line by line: 3 bytes that are not text → no file\n",
    });
    expect(request.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
  });
});

describe("a standing rule", () => {
  it("for edits below a directory covers what is below it, each with its own diff, and nothing else", async ({
    expect,
  }) => {
    const { asked, decide, toEnd, client, turn, textOf } = await turnOnFiles(FILES, [
      callTools([edit("src/app.ts", "a = 1", "a = 2")]),
      callTools([edit("src/./b/c.ts", "let b", "const b = 1"), edit("src/../notes.md", "two", "2")]),
      say("Done."),
    ]);
    await decide(await asked(), "allow_always");
    await client.eventsUntil(turn.events, "file_change");
    const { pendingPermissions, lastSeq } = await waitingView(client, turn);
    expect(pendingPermissions).toMatchObject([{ subject: { type: "edit", path: "notes.md" } }]);
    expect(await textOf("src/b/c.ts")).toBe("const b = 1;\n");
    expect(await textOf("notes.md")).toBe(FILES["notes.md"]);
    await client.abort(turn.runId);
    const events = await toEnd();
    expect(lastSeq).toBeLessThan(events.length);
    expect(ofType(events, "permission_reply").map(({ decision, by }) => [decision, by])).toEqual([
      ["allow_always", "user"],
      ["allow_always", "rule"],
      ["aborted", "system"],
    ]);
    expect(ofType(events, "file_change").map(({ path }) => path)).toEqual(["src/app.ts", "src/b/c.ts"]);
  });

  it("for a command covers that command in that directory alone", async ({ expect }) => {
    const list = { name: "run_shell", input: { command: "ls" } };
    const { asked, decide, client, turn } = await turnOnFiles(FILES, [
      callTools([list]),
      callTools([list, { name: "run_shell", input: { command: "ls", dir: "src" } }]),
      say("Done."),
    ]);
    const first = await asked();
    expect(first.options[1]?.label).toBe('Always allow running "ls" in the workspace in this chat');
    await decide(first, "allow_always");
    const { pendingPermissions } = await waitingView(client, turn);
    expect(pendingPermissions).toMatchObject([{ subject: { type: "command", command: "ls", dir: "src" } }]);
  });
});

describe("two edits of one file in one message", () => {
  it("are shown one after the other, the second over what the first made", async ({ expect }) => {
    const { allowed, textOf } = await turnOnFiles(FILES, [
      callTools([edit("notes.md", "one", "1"), edit("notes.md", "two", "2")]),
      say("Done."),
    ]);
    const events = await allowed();
    expect(ofType(events, "file_change").map(({ diff }) => diff)).toEqual([
      "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n",
      "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n 1\n-two\n+2\n",
    ]);
    expect(kinds(events).filter((kind) => kind === "permission_request")).toHaveLength(2);
    expect(await textOf("notes.md")).toBe("1\n2\n");
  });
});

type Turned = Awaited<ReturnType<typeof turnOnFiles>>;

/** The run once it waits again: it had been asked once before. */
const waitingView = async (client: Turned["client"], turn: Turned["turn"]) => {
  const { seq } = theOnly(await client.eventsUntil(turn.events, "permission_reply"), "permission_reply");
  const later = await client.eventsUntil(`${turn.events}?after=${seq + 1}`, "run_status");
  return { ...(await client.view(turn.runId)), later };
};
