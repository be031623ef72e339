/** The whole of it: an agent that fixes a failing test in a real directory, with somebody who is asked twice. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { openDevClient, type StreamEvent } from "../../support/dev-client.ts";
import { callTool, callTools, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import type { Stage } from "./stage.ts";

const FIXED = "export const add = (a, b) => a + b;\n";

/** In the form that does not depend on the version of Node. */
const COMMAND = "node --test --test-reporter=tap";

const DIFF = `--- a/src/add.mjs
+++ b/src/add.mjs
@@ -1,1 +1,1 @@
-export const add = (a, b) => a - b;
+export const add = (a, b) => a + b;
`;

/** The kinds in order; how often output and text come is a matter of time. */
const kinds = (events: readonly StreamEvent[]): string[] =>
  events
    .map(({ type }) => type)
    .filter((type, index, all) => !(/_delta$|^tool_output$/.test(type) && all[index - 1] === type));

const ofType = (events: readonly StreamEvent[], type: string): StreamEvent[] =>
  events.filter((event) => event.type === type);

/** Runs the project's tests as a person would in a terminal of their own. */
const projectTests = (project: string) =>
  promisify(execFile)("node", COMMAND.split(" ").slice(1), { cwd: project, env: { PATH: process.env.PATH } });

/** As the developer where sign-in is off, else as who signs in with this address. */
export const fixTheTest = async (stage: Stage, email: string | undefined): Promise<void> => {
  const { project } = stage;
  const server = await stage.take();
  await expect(projectTests(project)).rejects.toThrow();
  const script = await scriptModel(stage.modelUrl, [
    callTools([
      { name: "list_files", input: {} },
      { name: "read_file", input: { path: "src/add.mjs" } },
      { name: "read_file", input: { path: "test/add.test.mjs" } },
    ]),
    callTool("run_shell", { command: COMMAND }),
    callTool("edit_file", { path: "src/add.mjs", oldText: "a - b", newText: "a + b" }),
    callTool("run_shell", { command: COMMAND }),
    say("The test passes: add subtracted."),
  ]);
  const client = await openDevClient(server, email);
  const turn = await client.startTurn("fix", script.prompt("Fix the failing test"));
  // The command for always, so that its second run is covered; the edit once.
  const decisions = new Map([
    ["execute", "allow_always"],
    ["edit", "allow_once"],
  ]);
  const requests = new Map<string, StreamEvent>();
  const events = await client.readToEnd(turn.events, (event) => {
    if (event.type === "permission_request") requests.set(String(event.requestId), event);
    if (event.type !== "run_status" || event.status !== "waiting_permission") return;
    const open = [...requests.values()].at(-1);
    void client.decide(turn.runId, open?.requestId, decisions.get(String(open?.kind)));
  });

  const [called, said] = [
    ["message_start", "message_end"],
    ["message_start", "text_delta", "message_end"],
  ];
  const asked = ["permission_request", "run_status", "permission_reply", "run_status"];
  expect(kinds(events)).toEqual([
    ...["run_start", "user_message", ...called],
    ...["tool_start", "tool_start", "tool_start", "tool_end", "tool_end", "tool_end"],
    ...[...called, "tool_start", ...asked, "tool_output", "tool_end"],
    ...[...called, "tool_start", ...asked, "file_change", "tool_end"],
    ...[...called, "tool_start", "permission_request", "permission_reply", "tool_output", "tool_end"],
    ...[...said, "run_end"],
  ]);
  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(events[0]).toMatchObject({ workspaceDir: project });
  // A reader of the transcript alone: what was asked, who said what, and what came of it.
  expect(ofType(events, "permission_request").map(({ subject }) => subject)).toEqual([
    { type: "command", command: COMMAND, dir: "." },
    { type: "edit", path: "src/add.mjs", diff: DIFF },
    { type: "command", command: COMMAND, dir: "." },
  ]);
  expect(ofType(events, "permission_reply").map(({ decision, by }) => [decision, by])).toEqual([
    ["allow_always", "user"],
    ["allow_once", "user"],
    ["allow_always", "rule"],
  ]);
  expect(ofType(events, "file_change")).toMatchObject([{ path: "src/add.mjs", operation: "update", diff: DIFF }]);
  const edited = ofType(events, "tool_start").at(-2);
  expect(edited).toMatchObject({ tool: "edit_file", input: { oldText: "a - b", newText: "a + b" } });
  const ends = ofType(events, "tool_end").slice(3);
  expect(ends.map(({ status }) => status)).toEqual(["failed", "completed", "completed"]);
  expect(ends[0]?.output).toMatch(/^Exit code 1\.\n(.|\n)*# fail 1/);
  expect(ends[2]?.output).toMatch(/^Exit code 0\.\n(.|\n)*# pass 1/);
  expect(await script.violations()).toEqual([]);

  expect(await readFile(join(project, "src/add.mjs"), "utf8")).toBe(FIXED);
  expect((await projectTests(project)).stdout).toContain("# pass 1");
};
