/** What others on the developer's machine get from a running `npm run dev`: other ports, other names, the agent's commands. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAgentCommand } from "../support/agent-command.ts";
import { runDevCommand } from "../support/dev-server.ts";
import { listeningPorts } from "../support/listening-ports.ts";
import { openStage, type Stage } from "./turn/stage.ts";

/** A start takes 5 s on a free machine, and may take 90 s. */
const START_MS = 180_000;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage([]);
});

afterAll(() => stage.end());

/** What a name that leads to this machine is told, by whoever listens on `port`. Status 0: no answer. */
const ask = async (port: number, method: string, path: string, headers: Readonly<Record<string, string>>) => {
  const asked = request({ host: "127.0.0.1", port, method, path, headers }).end();
  const [answer] = await once(asked, "response").catch(() => [undefined]);
  if (answer === undefined) return { status: 0, text: "" };
  let text = "";
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, text };
};

const ROUTES = [
  ["GET", "/_framework/session"],
  ["GET", "/_framework/account/export"],
  ["GET", "/_framework/actions/list-stocks"],
  ["POST", "/_framework/actions/add-stock"],
  ["POST", "/api/agent/turn"],
] as const;

describe("a name that was made to lead to this machine", { timeout: START_MS }, () => {
  it.each(ROUTES)("is answered nothing at %s %s, whatever it says of itself to wrangler", async (method, path) => {
    const { port } = await stage.take();
    const own = `http://localhost:${port}/`;
    const answers = await Promise.all([
      ask(port, method, path, { host: `rebound.test:${port}` }),
      ask(port, method, path, {
        host: `rebound.test:${port}`,
        "mf-original-url": own,
        "mf-original-hostname": "localhost",
      }),
      ask(port, method, path, { host: `localhost.rebound.test:${port}`, "mf-original-url": own }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it("is not what a person's own request is taken for", async () => {
    const { port } = await stage.take();
    const headers = { host: `localhost:${port}`, "mf-original-url": "http://rebound.test/_framework/health" };
    expect(await ask(port, "GET", "/_framework/session", headers)).toMatchObject({ status: 200 });
  });
});

describe("wrangler's own ports", { timeout: START_MS }, () => {
  it.each(ROUTES)("answer nobody at %s %s", async (method, path) => {
    const { port: front, record } = await stage.take();
    const ports = listeningPorts(record.wranglerGroupId);
    expect(ports.length).toBeGreaterThan(1);
    const answers = await Promise.all(
      ports.map((port) => ask(port, method, path, { host: `localhost:${front}`, "tally-front": "guessed" })),
    );
    expect(answers.filter(({ status }) => status === 200)).toEqual([]);
    expect(answers.filter(({ status }) => status === 403).map(({ text }) => text)).toContain(
      '{"error":"This port is internal to wrangler. Use the address that npm run dev printed."}',
    );
  });
});

describe("a command that the person has allowed", { timeout: START_MS }, () => {
  it("finds no key in the process that started it, nor in a file", async () => {
    const server = await stage.take();
    const command = await startAgentCommand(
      server,
      stage.modelUrl,
      // In one language: what `cat` says is compared.
      `tr '\\0' '\\n' < /proc/$PPID/environ; env; LC_ALL=C cat ../state/dev.env ../state/*; echo end`,
    );
    const { status, told } = await command.end;
    expect(status).toBe("completed");
    expect(told).toContain("PATH=");
    expect(told).toContain("../state/dev.env: No such file");
    expect(told).not.toMatch(/test-key|ANTHROPIC|WORKSPACE_TOKEN/);
    expect(existsSync(join(stage.stateDir, "dev.env"))).toBe(false);
  });
});

describe("the app's own data", () => {
  it.each([
    ["the workspace", "project"],
    ["above the workspace", "."],
  ])("is not kept in %s", async (_, state) => {
    const persistTo = join(stage.project, "..", state);
    expect(await runDevCommand(["--persist-to", persistTo], { AGENT_WORKSPACE_DIR: stage.project })).toEqual({
      exitCode: 2,
      output: `--persist-to: ${persistTo} is the agent's workspace or contains it. Name a directory next to the workspace or below it.\n`,
    });
  });
});

describe("a body that is refused", { timeout: START_MS }, () => {
  it("leaves its connection usable: the next request on it is answered", async () => {
    const { port } = await stage.take();
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    let answered = "";
    socket.on("data", (chunk) => {
      answered += chunk;
    });
    const statuses = () => [...answered.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
    const head = `Host: localhost:${port}\r\nContent-Type: application/json\r\n`;
    const chunk = `10000\r\n${"x".repeat(0x1_00_00)}\r\n`;
    const send = async (text: string): Promise<void> => {
      const before = statuses().length;
      socket.write(text);
      await expect.poll(statuses).toHaveLength(before + 1);
    };
    const refused = `POST /api/agent/turn HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`;
    const next = `GET /_framework/session HTTP/1.1\r\n${head}\r\n`;
    await send(refused);
    await send(next);
    await send(refused);
    await send(next);
    await send(refused);
    await send(next);
    socket.destroy();
    expect(statuses()).toEqual(["413", "200", "413", "200", "413", "200"]);
  });
});
