/** What the gate decides by itself, and what it asks, over a real directory. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { QuestionAnswer, TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";
import { ASKED_ONE_AT_A_TIME, Gate } from "../../../src/harness-host/agent/gate.ts";
import { Questions } from "../../../src/harness-host/agent/questions.ts";
import { openRoot, type WorkspaceRoot } from "../../../src/workspace-server/workspace-root.ts";

const SESSION = "0b7d0b5e-6f0e-4a43-8c7b-5f2a4c6f3a11";

/** Home of the SDK, where it puts outputs that are too long for its model. */
const homeOf = ({ stateDir }: WorkspaceRoot): string => join(stateDir, "home");

let root: WorkspaceRoot;
beforeEach(async () => {
  const parent = mkdtempSync(join(tmpdir(), "tally-gate-"));
  for (const name of ["root", "state"]) mkdirSync(join(parent, name));
  root = await openRoot(join(parent, "root"), join(parent, "state"));
  writeFileSync(join(root.dir, "notes.txt"), "one\n");
  writeFileSync(join(root.dir, ".env"), "KEY=1\n");
  symlinkSync(join(root.dir, ".env"), join(root.dir, "harmless.txt"));
  linkSync(join(root.dir, ".env"), join(root.dir, "second-name.txt"));
  execFileSync("sh", ["-c", "mkfifo pipe"], { cwd: root.dir });
});

/** A gate whose questions all get this answer, and what was asked. `meanwhile` happens before the answer. */
const gateWith = (answer: QuestionAnswer, meanwhile: () => void = () => undefined) => {
  const asked: TurnLine[] = [];
  const questions: Questions = new Questions((line) => {
    asked.push(line);
    meanwhile();
    if ("questionId" in line) queueMicrotask(() => questions.answer({ questionId: line.questionId, answer }));
  });
  return { gate: new Gate({ root, tools: [], questions, home: homeOf(root), sessionId: SESSION }), asked };
};

const call = (tool: string, input: Record<string, unknown>, id = `toolu_${tool}`) => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: id,
  cwd: root.dir,
});

const decisionOf = async (gate: Gate, given: object): Promise<readonly [string | undefined, string | undefined]> => {
  const { hookSpecificOutput: output } = await gate.beforeCall(given);
  return [output?.permissionDecision, output?.permissionDecisionReason];
};

const edit = () => ({ file_path: join(root.dir, "notes.txt"), old_string: "one", new_string: "two" });

describe("an output that the SDK has put into a file", () => {
  beforeEach(() => {
    const projects = join(homeOf(root), ".claude/projects");
    const results = join(projects, "-root", SESSION, "tool-results");
    for (const dir of [
      results,
      join(projects, "-root/another/tool-results"),
      join(homeOf(root), ".claude", SESSION, "tool-results"),
    ]) {
      mkdirSync(join(dir, "sub"), { recursive: true });
      writeFileSync(join(dir, "long.txt"), "a long output\n");
    }
    writeFileSync(join(projects, "-root", SESSION, "notes.jsonl"), "{}\n");
    writeFileSync(join(results, "sub/deep.txt"), "x\n");
    symlinkSync(join(projects, "-root/another/tool-results/long.txt"), join(results, "link-out.txt"));
    symlinkSync(join(results, "long.txt"), join(root.dir, "link-in.txt"));
    execFileSync("sh", ["-c", "mkfifo pipe"], { cwd: results });
  });

  it.each([
    ["of this session", `projects/-root/${SESSION}/tool-results/long.txt`, "allow"],
    ["of another session", "projects/-root/another/tool-results/long.txt", "deny"],
    ["by a link out of its directory", `projects/-root/${SESSION}/tool-results/link-out.txt`, "deny"],
    ["by a path that climbs out", `projects/-root/${SESSION}/tool-results/../../another/tool-results/long.txt`, "deny"],
    ["as a FIFO", `projects/-root/${SESSION}/tool-results/pipe`, "deny"],
    ["as a directory", `projects/-root/${SESSION}/tool-results`, "deny"],
    ["below a directory", `projects/-root/${SESSION}/tool-results/sub/deep.txt`, "deny"],
    ["that is not there", `projects/-root/${SESSION}/tool-results/none.txt`, "deny"],
    ["beside the outputs", `projects/-root/${SESSION}/notes.jsonl`, "deny"],
    ["beside all sessions", `${SESSION}/tool-results/long.txt`, "deny"],
  ])("is read and searched %s: %s, %s", async (_, name, decision) => {
    const path = join(homeOf(root), ".claude", name);
    const { gate, asked } = gateWith({ type: "allow" });
    expect((await decisionOf(gate, call("Read", { file_path: path })))[0]).toBe(decision);
    expect((await decisionOf(gate, call("Grep", { pattern: "x", path })))[0]).toBe(decision);
    expect((await decisionOf(gate, call("Glob", { pattern: "*", path })))[0]).toBe("deny");
    expect((await decisionOf(gate, call("Write", { file_path: path, content: "" })))[0]).toBe("deny");
    expect(asked).toEqual([]);
  });

  it("is not written by a link in the workspace", async () => {
    const { gate } = gateWith({ type: "allow" });
    expect((await decisionOf(gate, call("Write", { file_path: "link-in.txt", content: "" })))[0]).toBe("deny");
  });
});

describe("the composed name of a root whose name is decomposed", () => {
  let composed: string;
  beforeEach(async () => {
    const dir = join(root.dir, "../Bu\u0308cher");
    mkdirSync(dir);
    root = await openRoot(dir, root.stateDir);
    composed = root.dir.normalize("NFC");
  });

  it("is the root's, where it leads to it", async () => {
    symlinkSync(root.dir, composed);
    const { gate, asked } = gateWith({ type: "allow" });
    await gate.beforeCall(call("Write", { file_path: join(composed, "new.txt"), content: "" }));
    await gate.beforeCall({ ...call("Bash", { command: "true" }), cwd: composed });
    expect(asked).toMatchObject([{ subject: { path: "new.txt" } }, { subject: { dir: "." } }]);
  });

  it("is outside, where it is another directory", async () => {
    mkdirSync(composed);
    const { gate, asked } = gateWith({ type: "allow" });
    const decision = await decisionOf(gate, call("Write", { file_path: join(composed, "new.txt"), content: "" }));
    expect(decision).toEqual(["deny", expect.stringContaining("outside the workspace")]);
    expect(asked).toEqual([]);
  });
});

describe("the gate", () => {
  it.each([
    ["Read", { file_path: "notes.txt" }, "allow"],
    ["Read", { file_path: ".env" }, "deny"],
    ["Read", { file_path: "harmless.txt" }, "deny"],
    ["Read", { file_path: "second-name.txt" }, "deny"],
    ["Read", { file_path: "not-there.txt" }, "allow"],
    ["Read", { file_path: "." }, "deny"],
    ["Read", { file_path: "/etc/passwd" }, "deny"],
    ["Read", {}, "deny"],
    ["Glob", { pattern: "**/*.ts" }, "allow"],
    ["Glob", { pattern: "/etc/*" }, "deny"],
    ["Glob", { pattern: "../*" }, "deny"],
    ["Grep", { pattern: "x", path: ".." }, "deny"],
    ["Grep", { pattern: "../x" }, "allow"],
    ["Grep", { pattern: "x", glob: "{a,../b}" }, "deny"],
    ["Grep", { pattern: "x", path: "notes.txt" }, "allow"],
    ["Grep", { pattern: "KEY", path: "second-name.txt" }, "deny"],
    ["Grep", { pattern: "KEY", path: "harmless.txt" }, "deny"],
    ["Grep", { pattern: ".", path: "pipe" }, "deny"],
    ["Grep", { pattern: ".", path: " /etc" }, "deny"],
    ["Grep", { pattern: ".", path: "~/.ssh" }, "deny"],
    ["Grep", { pattern: ".", path: "\u00a0~" }, "deny"],
    ["Glob", { pattern: "*", path: "/etc\t" }, "deny"],
    ["Grep", { pattern: ".", path: "Bu\u0308cher" }, "deny"],
    ["Glob", { pattern: "*", path: "Bu\u0308cher" }, "deny"],
    ["Grep", { pattern: ".", path: "B\u00fccher" }, "allow"],
    ["Glob", { pattern: " ~/*" }, "deny"],
    ["Read", { file_path: "~/.npmrc" }, "deny"],
    ["Write", { file_path: " /tmp/x", content: "" }, "deny"],
    ["Bash", { command: "sleep 9", run_in_background: true }, "deny"],
    ["WebFetch", { url: "https://example.com" }, "deny"],
    ["mcp__tally__add-stock", { symbol: "A" }, "deny"],
  ])("decides about %s %j without asking: %s", async (tool, input, decision) => {
    const { gate, asked } = gateWith({ type: "allow" });
    expect((await decisionOf(gate, call(tool, input)))[0]).toBe(decision);
    expect(asked).toEqual([]);
  });

  it.each([
    ["guarded", "Write", { file_path: ".env", content: "" }, "is guarded"],
    ["outside", "Write", { file_path: "/tmp/x", content: "" }, "outside the workspace"],
    ["without its text", "Edit", { file_path: "notes.txt", old_string: "three", new_string: "" }, "does not contain"],
    ["ambiguous", "Edit", { file_path: "notes.txt", old_string: "", new_string: "x" }, "does not contain"],
  ])("denies an edit that is %s, without asking", async (_, tool, input, reason) => {
    const { gate, asked } = gateWith({ type: "allow" });
    expect(await decisionOf(gate, call(tool, input))).toEqual(["deny", expect.stringContaining(reason)]);
    expect(asked).toEqual([]);
  });

  it("denies an edit that was allowed when the file has changed meanwhile", async () => {
    const { gate } = gateWith({ type: "allow" }, () => writeFileSync(join(root.dir, "notes.txt"), "one more\n"));
    expect(await decisionOf(gate, call("Edit", edit()))).toEqual(["deny", expect.stringContaining("has changed")]);
    expect(readFileSync(join(root.dir, "notes.txt"), "utf8")).toBe("one more\n");
  });

  it("denies an edit that was shown for another state of the file", async () => {
    const { gate } = gateWith({ type: "allow", ifState: "absent" });
    expect((await decisionOf(gate, call("Edit", edit())))[0]).toBe("deny");
  });

  it("defers the first call that must ask, and denies further ones but reads", async () => {
    const { gate, asked } = gateWith({ type: "ask" });
    const decisions = await Promise.all([
      decisionOf(gate, call("Edit", edit())),
      decisionOf(gate, call("Bash", { command: "true" })),
      decisionOf(gate, call("Read", { file_path: "notes.txt" })),
    ]);
    expect(decisions.map(([decision]) => decision)).toEqual(["defer", "deny", "allow"]);
    expect(decisions[1]?.[1]).toBe(ASKED_ONE_AT_A_TIME);
    expect(asked).toHaveLength(1);
  });

  it("denies with the person's words", async () => {
    const { gate } = gateWith({ type: "deny", message: "Not that file." });
    expect(await decisionOf(gate, call("Edit", edit()))).toEqual(["deny", "Not that file."]);
  });

  it("decides the same where the SDK prompts, and asks once for a call", async () => {
    const { gate, asked } = gateWith({ type: "allow" });
    const input = { command: "echo 1" };
    expect(await gate.onPrompt("Bash", input, "toolu_1")).toEqual({ behavior: "allow", updatedInput: input });
    expect((await decisionOf(gate, call("Bash", input, "toolu_2")))[0]).toBe("allow");
    expect(await gate.onPrompt("Bash", input, "toolu_2")).toEqual({ behavior: "allow", updatedInput: input });
    expect(asked).toHaveLength(2);
    expect(await gate.onPrompt("WebFetch", {}, "toolu_3")).toMatchObject({ behavior: "deny" });
  });

  it.each([
    ["another command", { command: "echo 2" }],
    ["the same once more", { command: "echo 1" }],
  ])("denies a call with the id of one that was allowed: %s", async (_, input) => {
    const { gate, asked } = gateWith({ type: "allow" });
    await decisionOf(gate, call("Bash", { command: "echo 1" }, "toolu_1"));
    expect(await decisionOf(gate, call("Bash", input, "toolu_1"))).toEqual([
      "deny",
      "Another call has this id. Make a new one.",
    ]);
    await gate.onPrompt("Bash", { command: "echo 1" }, "toolu_1");
    expect(await gate.onPrompt("Bash", input, "toolu_1")).toMatchObject({ behavior: "deny" });
    expect(asked).toHaveLength(1);
  });

  it("does not take the decision about a read for one about a command of its id", async () => {
    const { gate, asked } = gateWith({ type: "allow" });
    await decisionOf(gate, call("Read", { file_path: "notes.txt" }, "toolu_1"));
    expect(await gate.onPrompt("Bash", { command: "echo 1" }, "toolu_1")).toMatchObject({ behavior: "deny" });
    expect(asked).toEqual([]);
  });
});
