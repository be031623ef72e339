/** What is left of `npm run dev` when it has ended, however it did: its data, and nothing that runs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { isGroupRunning, signalAndWait } from "../../src/process/process-group.ts";
import { startAgentCommand } from "../support/agent-command.ts";
import type { DevServer } from "../support/dev-server.ts";
import { openStage, type Stage } from "./turn/stage.ts";

/** Two starts, of 5 s each on a free machine, and what is between them. */
const START_MS = 300_000;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage([]);
});

afterAll(() => stage.end());

/** For a test that ends its server. */
const takeServerToEnd = async (): Promise<DevServer> => {
  const server = await stage.take();
  onTestFailed(() => server.killGroup());
  stage.leave();
  return server;
};

const health = async (server: DevServer): Promise<unknown> => (await fetch(`${server.url}/_framework/health`)).json();

const callAction = async (server: DevServer, name: string, input: unknown): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(input) };
  return (await fetch(`${server.url}/_framework/actions/${name}`, request)).json();
};

/** Runs `command`, whose first output is its process group. */
const startGroup = async (server: DevServer, command: string) => {
  const { firstOutput, end } = await startAgentCommand(server, stage.modelUrl, command);
  return { groupId: Number(firstOutput), end };
};

describe("a dev command that ends", { timeout: START_MS }, () => {
  it("has what was written, and no command of the agent, at the start after a kill -9 of all its processes", async () => {
    const killed = await takeServerToEnd();
    await callAction(killed, "add-stock", { symbol: "AAPL" });
    const command = await startGroup(killed, "echo $$; sleep 600 & sleep 600");
    await killed.killGroup();
    expect(isGroupRunning(command.groupId)).toBe(true);
    const server = await stage.start();
    expect(await callAction(server, "list-stocks", {})).toMatchObject({ items: [{ symbol: "AAPL" }], total: 1 });
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(await command.end).toMatchObject({ status: "unknown" });
  });

  it("takes all it started with it when it is killed with -9, the agent's command too", async () => {
    const killed = await takeServerToEnd();
    await callAction(killed, "add-stock", { symbol: "MSFT" });
    const command = await startGroup(killed, "echo $$; sleep 600 & sleep 600");
    process.kill(killed.record.devPid, "SIGKILL");
    await expect.poll(() => isGroupRunning(killed.record.wranglerGroupId), { timeout: START_MS }).toBe(false);
    await expect(health(killed)).rejects.toThrow("fetch failed");
    expect(isGroupRunning(command.groupId)).toBe(false);
    // The server of the workspace is in the dev command's own group.
    await expect.poll(() => isGroupRunning(killed.groupId), { timeout: START_MS }).toBe(false);
    const server = await stage.start();
    expect(await callAction(server, "get-stock", { symbol: "MSFT" })).toMatchObject({ stock: { symbol: "MSFT" } });
  });

  it("lets the next start end the wrangler that was left behind when what watches over it was killed as well", async () => {
    const killed = await takeServerToEnd();
    // Stopped first: it would end wrangler in the moment before its own end.
    process.kill(killed.record.wranglerGroupId, "SIGSTOP");
    process.kill(killed.record.devPid, "SIGKILL");
    process.kill(killed.record.wranglerGroupId, "SIGKILL");
    await killed.ended;
    expect(isGroupRunning(killed.record.wranglerGroupId)).toBe(true);
    const server = await stage.start();
    expect(isGroupRunning(killed.record.wranglerGroupId)).toBe(false);
    expect(await health(server)).toMatchObject({ ok: true });
  });

  // SIGTERM, which goes the same way, ends the servers of `turn.test.ts`.
  it("stops all it started on SIGINT, the agent's command with it, and ends with 0", async () => {
    const server = await takeServerToEnd();
    const command = await startGroup(server, "echo $$; trap '' HUP; sleep 600 & sleep 600");
    expect(await server.stop("SIGINT")).toBe(0);
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(isGroupRunning(server.record.wranglerGroupId)).toBe(false);
    expect(existsSync(join(stage.stateDir, "dev.env"))).toBe(false);
    await expect(health(server)).rejects.toThrow("fetch failed");
  });

  it("ends with 1 and one line when wrangler dies by itself", async () => {
    await stage.start();
    const server = await takeServerToEnd();
    await signalAndWait(server.record.wranglerGroupId, "SIGKILL", START_MS);
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/\nwrangler ended unexpectedly; start again\.\n$/);
  });
});
