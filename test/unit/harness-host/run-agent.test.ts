/** The process of a turn, with an SDK that says far more at once than a pipe holds, or has read whole files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { PROJECT_DIR } from "../../../src/process/project.ts";

/** Its only message, and then a result. */
const LENGTH = 4_000_000;
const SDK = `export async function* query() {
  yield { type: "assistant", text: "x".repeat(${LENGTH}) };
  yield { type: "result" };
}`;

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "tally-agent-"));
  for (const name of ["root", "state", "home"]) mkdirSync(join(parent, name));
  writeFileSync(join(parent, "sdk.mjs"), SDK);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A process that has been told its turn. */
const start = () => {
  const child = spawn(process.execPath, [join(PROJECT_DIR, "src/harness-host/agent/run-agent.ts")], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const begin = { type: "new", prompt: "Hi" };
  const told = {
    setup: {
      sdk: { version: "0.0.1", entry: join(parent, "sdk.mjs") },
      credential: { type: "api_key", secret: "secret-key" },
    },
    ...{ dir: join(parent, "root"), stateDir: join(parent, "state"), home: join(parent, "home") },
    ...{ temporaryDir: join(parent, "tmp"), mark: "mark" },
    turn: { turnId: "turn", sessionId: crypto.randomUUID(), begin, tools: [] },
  };
  child.stdin.write(`${JSON.stringify(told)}\n`);
  return { child, exited: once(child, "exit") };
};

it("ends when all it had to say has been taken", async () => {
  const { child, exited } = start();
  const lines = (await text(child.stdout)).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line)).map(({ type, message }) => message?.type ?? type)).toEqual([
    "started",
    "assistant",
    "result",
    "ended",
  ]);
  expect(await exited).toEqual([0, null]);
});

it("names images and documents without their bytes, and passes on everything else", async () => {
  const sdk = `const source = { type: "base64", media_type: "image/png", data: "x".repeat(${LENGTH}) };
const content = [{ type: "text", text: "A page." }, { type: "image", source }];
const result = { type: "tool_result", tool_use_id: "toolu_read", is_error: false, content };
const said = { type: "tool_result", tool_use_id: "toolu_list", content: "notes.txt" };
const input = { source: { type: "base64", data: "written" } };
export async function* query() {
  yield { type: "assistant", message: { content: [{ type: "tool_use", id: "toolu_read", input }] } };
  yield { type: "user", uuid: "one", message: { role: "user", content: [result, said, { type: "document", source }] } };
  yield { type: "user", message: { role: "user", content: "Interrupted." } };
  yield { type: "result" };
}`;
  writeFileSync(join(parent, "sdk.mjs"), sdk);
  const lines = (await text(start().child.stdout)).trimEnd().split("\n");
  const source = { type: "base64", media_type: "image/png" };
  const content = [
    { type: "text", text: "A page." },
    { type: "image", source },
  ];
  const results = [
    { type: "tool_result", tool_use_id: "toolu_read", is_error: false, content },
    { type: "tool_result", tool_use_id: "toolu_list", content: "notes.txt" },
  ];
  const input = { source: { type: "base64", data: "written" } };
  expect(lines.slice(1, 4).map((line) => JSON.parse(line).message)).toEqual([
    { type: "assistant", message: { content: [{ type: "tool_use", id: "toolu_read", input }] } },
    { type: "user", uuid: "one", message: { role: "user", content: [...results, { type: "document", source }] } },
    { type: "user", message: { role: "user", content: "Interrupted." } },
  ]);
});

it("ends also when nobody takes it any more", async () => {
  const { child, exited } = start();
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stdin.end();
  await exited;
});
