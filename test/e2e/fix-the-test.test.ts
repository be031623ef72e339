/** The whole of it: an agent that fixes a failing test in a real directory, with somebody who is asked twice. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openDevClient, type StreamEvent } from "../support/dev-client.ts";
import { startDevServer } from "../support/dev-server.ts";
import { startMessagesApiServer } from "../support/messages-api-server.ts";
import { callTool, callTools, say } from "../support/model-script.ts";
import { scriptModel } from "../support/scripted-model.ts";

/** A start takes some seconds: wrangler bundles, migrates and boots. */
const TIMEOUT_MS = 120_000;

const BROKEN = "export const add = (a, b) => a - b;\n";
const FIXED = "export const add = (a, b) => a + b;\n";
const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { add } from "../src/add.mjs";

test("adds", () => assert.equal(add(2, 3), 5));
`;

/** In the form that does not depend on the version of Node. */
const COMMAND = "node --test --test-reporter=tap";

const DIFF = `--- a/src/add.mjs
+++ b/src/add.mjs
@@ -1,1 +1,1 @@
-export const add = (a, b) => a - b;
+export const add = (a, b) => a + b;
`;

let model: Awaited<ReturnType<typeof startMessagesApiServer>>;

beforeAll(async () => {
  model = await startMessagesApiServer();
});

afterAll(() => model.close());

/** A project with a failing test, and the dev command on it. */
const startOnProject = async (args: readonly string[]) => {
  const parent = await mkdtemp(join(tmpdir(), "tally-fix-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const project = join(parent, "project");
  await mkdir(join(project, "src"), { recursive: true });
  await mkdir(join(project, "test"));
  await writeFile(join(project, "src/add.mjs"), BROKEN);
  await writeFile(join(project, "test/add.test.mjs"), TEST);
  const env = { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: model.url, AGENT_WORKSPACE_DIR: project };
  const server = await startDevServer({ persistTo: join(parent, "state"), args, env });
  onTestFinished(() => server.killGroup());
  return { project, server };
};

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

it.each([
  ["where sign-in is off", [], undefined],
  ["for who has signed in by a printed code", ["--auth"], "ann@example.com"],
] as const)(
  "an agent lists, reads, runs the test, fixes the code and runs the test again, %s",
  { timeout: TIMEOUT_MS },
  async (_, args, email) => {
    const { project, server } = await startOnProject(args);
    await expect(projectTests(project)).rejects.toThrow();
    const script = await scriptModel(model.url, [
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
    expect(await server.stop()).toBe(0);
  },
);
