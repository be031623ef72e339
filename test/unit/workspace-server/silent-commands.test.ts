/** Commands that print nothing for long: what goes over the wire meanwhile, for proxies that cut silent connections. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readLines } from "../../../src/workspace/host/host-answer.ts";
import type { Command } from "../../../src/workspace/workspace.ts";
import { ALIVE_EVERY_MS as USUAL_MS } from "../../../src/workspace-server/call-io.ts";
import { type HostWorkspaceUnderTest, hostHeaders, openHostWorkspace } from "../../support/host-workspace.ts";
import { nodeFetch } from "../../support/node-fetch.ts";

const NEVER = new AbortController().signal;

/** How often the server of these tests says that it is there, in ms. */
const ALIVE_EVERY_MS = 10;

let host: HostWorkspaceUnderTest;
beforeEach(async () => {
  host = await openHostWorkspace({ aliveEveryMs: ALIVE_EVERY_MS });
});
afterEach(() => host.close());

/** Prints nothing until the test says so, and has the longest time that there is. */
const silent = (): Command => ({
  callId: crypto.randomUUID(),
  command: "touch up; until [ -e go ]; do sleep 0.02; done; echo done",
  dir: ".",
  timeoutMs: 600_000,
});

const isUp = () => existsSync(join(host.dir, "up"));
const letGo = () => writeFile(join(host.dir, "go"), "");

const post = (call: string, body: object) =>
  nodeFetch(`${host.server.url}/${call}`, {
    method: "POST",
    headers: hostHeaders(host.server.token),
    body: JSON.stringify(body),
  });

/** The lines of an answer as they come. */
const linesOf = ({ body }: Response): AsyncGenerator<string> => {
  if (body === null) throw new Error("An answer has a body.");
  return readLines(body);
};

const rest = async (lines: AsyncGenerator<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

const ALIVE = { value: '{"type":"alive"}', done: false };

const ended = { end: "exited", exitCode: 0, stdout: "done\n", stderr: "", isCut: false };

it("the answer begins when the command does, and says now and then that it is there", async () => {
  const answer = await post("run", { ...silent(), keepAlive: true });
  expect(answer.status).toBe(200);
  const lines = linesOf(answer);
  expect([await lines.next(), await lines.next(), await lines.next()]).toEqual([ALIVE, ALIVE, ALIVE]);
  await letGo();
  const last = (await rest(lines)).filter((line) => line !== ALIVE.value).map((line) => JSON.parse(line));
  expect(last).toEqual([
    { type: "output", stream: "stdout", text: "done\n" },
    { type: "result", result: ended },
  ]);
});

it("a client of an earlier release, which knows no such line, gets none", async () => {
  const lines = linesOf(await post("run", silent()));
  // One that began later is told so by then.
  const beside = linesOf(await post("run", { ...silent(), keepAlive: true }));
  expect([await beside.next(), await beside.next()]).toEqual([ALIVE, ALIVE]);
  await letGo();
  expect((await rest(lines)).map((line) => JSON.parse(line).type)).toEqual(["output", "result"]);
  await rest(beside);
});

it("our client hears nothing of it", async () => {
  const command = silent();
  const printed: string[] = [];
  const running = host.workspace.run(command, (_, text) => printed.push(text), NEVER);
  await expect.poll(isUp).toBe(true);
  // The command was asked for earlier, so a sign of its life has gone out before this one.
  const lines = linesOf(await post("find", { callId: command.callId }));
  expect(await lines.next()).toEqual({ value: "", done: false });
  await letGo();
  expect([await running, printed]).toEqual([ended, ["done\n"]]);
});

it("whoever asks for a command that runs gets empty lines, and then JSON as ever", async () => {
  const command = silent();
  const run = await post("run", command);
  const lines = linesOf(await post("find", { callId: command.callId }));
  expect([await lines.next(), await lines.next()]).toEqual([
    { value: "", done: false },
    { value: "", done: false },
  ]);
  const found = host.workspace.find(command.callId, NEVER);
  await letGo();
  expect(await found).toEqual(ended);
  await rest(linesOf(run));
});

it("a command that cannot run is still refused with its own status", async () => {
  expect((await post("run", { ...silent(), dir: "missing", keepAlive: true })).status).toBe(422);
});

it("are silent for less long, by default, than the 100 s after which a tunnel cuts a connection", () => {
  expect(USUAL_MS).toBeLessThanOrEqual(30_000);
});
