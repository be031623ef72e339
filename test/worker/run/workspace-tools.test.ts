/** The agent's tools for files and commands, each in a separate turn over the durable workspace (api.md §6). */
import { describe, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { endsOf, turnOnFiles } from "../../support/workerd/person-with-files.ts";
import { kinds } from "../../support/workerd/run-client.ts";

const FILES = { "notes.md": "one\ntwo\nthree\n", "src/app.ts": "export const a = 1;\n", "src/b/c.ts": "// TODO: b\n" };

const OPENING = ["run_start", "user_message", "message_start", "message_end"];
const SAID = ["message_start", "text_delta", "message_end", "run_end"];
const ASKED = ["permission_request", "run_status", "permission_reply", "run_status"];

/** How the one call of a turn ended, everything being allowed. */
const endOf = async (name: string, input: Readonly<Record<string, unknown>>, files: Record<string, string> = FILES) => {
  const { allowed, model } = await turnOnFiles(files, [callTool(name, input), say("Done.")]);
  const [end] = endsOf(await allowed());
  return { end, violations: await model.violations() };
};

describe("a tool that reads", () => {
  it.for([
    ["list_files", {}, "14\tnotes.md\n20\tsrc/app.ts\n11\tsrc/b/c.ts"],
    ["list_files", { path: "src", glob: "c.*" }, "11\tsrc/b/c.ts"],
    ["list_files", { glob: "*.py" }, "No file in . matches *.py."],
    ["read_file", { path: "notes.md" }, "     1\tone\n     2\ttwo\n     3\tthree"],
    ["read_file", { path: "./src/../notes.md", startLine: 2, endLine: 2 }, "     2\ttwo"],
    ["search_files", { pattern: "t[wh]", context: 0 }, "notes.md:2:two\nnotes.md:3:three"],
    ["search_files", { pattern: "two", context: 1 }, "notes.md-1-one\nnotes.md:2:two\nnotes.md-3-three"],
    ["search_files", { pattern: "nowhere" }, "No line matches."],
  ] as const)("answers %s %o", async ([name, input, output], { expect }) => {
    expect(await endOf(name, input)).toEqual({ end: ["completed", output], violations: [] });
  });

  it.for([
    ["read_file", { path: "src/nots.md" }, "src/nots.md does not exist."],
    ["read_file", { path: "App.js" }, "App.js does not exist. Did you mean src/app.ts?"],
    ["read_file", { path: "src" }, "src is a directory. Use list_files to see what is in it."],
    ["read_file", { path: "notes.md", startLine: 9 }, "startLine: notes.md has 3 lines."],
    ["read_file", { path: "notes.md", startLine: 3, endLine: 2 }, "endLine: use startLine or a later line"],
    ["read_file", { path: "/etc/passwd" }, /^path: "\/etc\/passwd": absolute paths are refused/],
    ["read_file", { path: "../x" }, /^path: "..\/x" is outside the workspace/],
    ["read_file", { path: ".env" }, /guarded/],
    ["list_files", { path: "none" }, /"none" does not exist/],
    ["search_files", { pattern: "(" }, /is not a regular expression/],
    ["search_files", { pattern: "" }, "pattern: give a regular expression"],
    ["search_files", { pattern: "a", context: 99 }, /^context: /],
  ] as const)("says what is wrong with %s %o", async ([name, input, output], { expect }) => {
    const { end } = await endOf(name, input);
    expect(end).toEqual(["failed", typeof output === "string" ? output : expect.stringMatching(output)]);
  });

  it("runs at once and together with others, without asking (api.md §4)", async ({ expect }) => {
    const { toEnd } = await turnOnFiles(FILES, [
      callTools([
        { name: "read_file", input: { path: "notes.md" } },
        { name: "list_files", input: {} },
        { name: "read_file", input: { path: "src/app.ts" } },
      ]),
      say("Done."),
    ]);
    const events = await toEnd();
    const calls = ["tool_start", "tool_start", "tool_start", "tool_end", "tool_end", "tool_end"];
    expect(kinds(events)).toEqual([...OPENING, ...calls, ...SAID]);
    expectWhole(events, "completed");
  });

  it("describes a file that is not text, and does not show it", async ({ expect }) => {
    const { client, workspace, model } = await turnOnFiles({}, [say("Hi.")]);
    await workspace.write("latin1.txt", Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
    await workspace.write("image.bin", Uint8Array.of(0x89, 0x50, 0, 1));
    await workspace.write("empty.txt", new Uint8Array());
    const read = (path: string) => ({ name: "read_file", input: { path } });
    await model.add([callTools([read("latin1.txt"), read("image.bin"), read("empty.txt")]), say("Done.")]);
    const ends = endsOf(await client.runToEnd("other", model.prompt("Read")));
    expect(ends.map(([, output]) => output).toSorted()).toEqual([
      "empty.txt is empty.",
      "image.bin is binary (4 bytes), so it is not shown.",
      "latin1.txt is not UTF-8 (4 bytes), so it is not shown.",
    ]);
  });
});

describe("a tool that changes a file", () => {
  it.for([
    ["write_file", { path: "new/a.txt", content: "hi\n" }, "Created new/a.txt.", "create", "new/a.txt", "hi\n"],
    ["write_file", { path: "notes.md", content: "1\n" }, "Changed notes.md.", "update", "notes.md", "1\n"],
    [
      "edit_file",
      { path: "src/app.ts", oldText: "a = 1", newText: "a = 2" },
      ...(["Changed src/app.ts.", "update", "src/app.ts", "export const a = 2;\n"] as const),
    ],
  ] as const)("does it with %s %o", async ([name, input, output, operation, path, text], { expect }) => {
    const { allowed, textOf, model } = await turnOnFiles(FILES, [callTool(name, input), say("Done.")]);
    const events = await allowed();
    expect(kinds(events)).toEqual([...OPENING, "tool_start", ...ASKED, "file_change", "tool_end", ...SAID]);
    expect(endsOf(events)).toEqual([["completed", output]]);
    const { subject } = theOnly(events, "permission_request");
    expect(theOnly(events, "file_change")).toMatchObject({ path, operation, diff: Object(subject).diff });
    expect(await textOf(path)).toBe(text);
    expect(await model.violations()).toEqual([]);
  });

  it("deletes one with delete_file", async ({ expect }) => {
    const { allowed, files } = await turnOnFiles(FILES, [callTool("delete_file", { path: "notes.md" }), say("Gone.")]);
    const events = await allowed();
    expect(endsOf(events)).toEqual([["completed", "Deleted notes.md."]]);
    expect(theOnly(events, "file_change")).toMatchObject({
      operation: "delete",
      diff: "--- a/notes.md\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
    });
    expect(await files()).toEqual(["src/app.ts", "src/b/c.ts"]);
  });

  it.for([
    ["edit_file", { path: "none.ts", oldText: "a", newText: "b" }, /^none.ts does not exist/],
    ["edit_file", { path: "notes.md", oldText: "four", newText: "4" }, /^notes.md: oldText: it is not in the file/],
    ["edit_file", { path: "notes.md", oldText: "o", newText: "0" }, /2 times \(lines 1, 2\)/],
    ["edit_file", { path: "notes.md", oldText: "", newText: "0" }, /^oldText: /],
    ["write_file", { path: "notes.md", content: FILES["notes.md"] }, /no changes to make/],
    ["write_file", { path: "src", content: "" }, /^src is a directory/],
    ["write_file", { path: "../x", content: "" }, /^path: /],
    ["write_file", { path: ".env", content: "" }, /guarded/],
    ["write_file", { path: "a", text: "b" }, /content: .*; text: unknown field/],
    ["delete_file", { path: "none.ts" }, /^none.ts does not exist/],
    ["delete_file", { path: "src" }, /^src is a directory/],
    ["run_shell", { command: " " }, "command: give a command"],
    ["run_shell", { command: "ls", dir: "none" }, "dir: none does not exist."],
    ["run_shell", { command: "ls", dir: "notes.md" }, "dir: notes.md is a file, not a directory."],
    ["run_shell", { command: "ls", timeoutMs: 600_001 }, /^timeoutMs: /],
  ] as const)("fails without asking for %s %o", async ([name, input, output], { expect }) => {
    const { toEnd, files } = await turnOnFiles(FILES, [callTool(name, input), say("Sorry.")]);
    const events = await toEnd();
    expect(kinds(events)).toEqual([...OPENING, "tool_start", "tool_end", ...SAID]);
    expect(endsOf(events)).toEqual([["failed", typeof output === "string" ? output : expect.stringMatching(output)]]);
    expect(await files()).toEqual(Object.keys(FILES));
  });
});

describe("run_shell", () => {
  it("shows the command, streams its output and tells the model how it ended", async ({ expect }) => {
    const input = { command: "cat app.ts; echo no >&2; exit 3", dir: "src" };
    const { allowed } = await turnOnFiles(FILES, [callTool("run_shell", input), say("Done.")]);
    const events = await allowed();
    expect(kinds(events)).toEqual([
      ...[...OPENING, "tool_start", ...ASKED, "tool_output", "tool_output", "tool_end", ...SAID],
    ]);
    expect(theOnly(events, "permission_request")).toMatchObject({
      ...{ kind: "execute", title: "Run cat app.ts; echo no >&2; exit 3" },
      subject: { type: "command", ...input },
    });
    expect(ofType(events, "tool_output").map(({ stream, text }) => [stream, text])).toEqual([
      ["stdout", "export const a = 1;\n"],
      ["stderr", "no\n"],
    ]);
    expect(endsOf(events)).toEqual([["failed", "Exit code 3.\nstdout:\nexport const a = 1;\nstderr:\nno"]]);
  });

  it("works on the same files as the other tools", async ({ expect }) => {
    const { allowed, textOf } = await turnOnFiles(FILES, [
      callTool("run_shell", { command: "cp notes.md copy.md" }),
      callTool("edit_file", { path: "copy.md", oldText: "two", newText: "2" }),
      callTool("run_shell", { command: "cat copy.md" }),
      say("Done."),
    ]);
    expect(endsOf(await allowed())).toEqual([
      ["completed", "Exit code 0.\nIt printed nothing."],
      ["completed", "Changed copy.md."],
      ["completed", "Exit code 0.\nstdout:\none\n2\nthree"],
    ]);
    expect(await textOf("copy.md")).toBe("one\n2\nthree\n");
  });
});
