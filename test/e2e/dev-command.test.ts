/** `npm run dev` from outside: what it prints, what it refuses, and that it leaves nothing behind, however it ends. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isGroupRunning, signalAndWait } from "../../src/host/process-group.ts";
import { HostWorkspace } from "../../src/workspace/host-workspace.ts";
import { WorkspaceError } from "../../src/workspace/workspace.ts";
import { type DevServer, findFreePort, runDevCommand, startDevServer } from "../support/dev-server.ts";
import { nodeFetch } from "../support/node-fetch.ts";

/** A start takes 5 s on a free machine. */
const START_MS = 60_000;

const makePersistDir = () => mkdtemp(join(tmpdir(), "tally-dev-"));

const health = async (server: DevServer): Promise<unknown> => (await fetch(`${server.url}/_framework/health`)).json();

const callAction = async (server: DevServer, name: string, input: unknown): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(input) };
  return (await fetch(`${server.url}/_framework/actions/${name}`, request)).json();
};

describe("a running dev command", { timeout: START_MS }, () => {
  let server: DevServer;
  let persistTo: string;

  beforeAll(async () => {
    persistTo = await makePersistDir();
    server = await startDevServer({ persistTo, env: { AGENT_WORKSPACE_DIR: persistTo } });
  }, START_MS);

  afterAll(async () => {
    await server.killGroup();
    await rm(persistTo, { recursive: true, force: true });
  });

  it("serves the app with its database migrated", async () => {
    expect(await health(server)).toMatchObject({ ok: true });
  });

  it("prints who one is, which model answers, the workspace, and the address last", () => {
    // Behind them come the lines of the requests.
    const [startUp] = server.output().split(/^\{/m);
    expect(startUp).toBe(
      [
        "Signed in as dev@local.test.",
        "Model: the built-in demo model. Set ANTHROPIC_API_KEY for a real one.",
        `Workspace: ${persistTo}`,
        `Ready on http://localhost:${server.port}`,
        "",
      ].join("\n"),
    );
  });

  it("makes another start on its port end with one line", async () => {
    const other = await makePersistDir();
    const { exitCode, output } = await runDevCommand(["--port", String(server.port), "--persist-to", other]);
    await rm(other, { recursive: true });
    expect(output).toBe(`Port ${server.port} is in use. Stop what listens there, or pass another --port N.\n`);
    expect(exitCode).toBe(1);
  });

  it("makes another start on its persist directory end with one line", async () => {
    const { exitCode, output } = await runDevCommand(["--persist-to", persistTo]);
    expect(output).toBe(
      `${persistTo} is in use by process ${server.record.devPid}. Stop that one, or pass another --persist-to DIR.\n`,
    );
    expect(exitCode).toBe(1);
  });
});

/** Runs a command as the Worker does, with the address it was given; its first output is its process group. */
const startAgentCommand = async (persistTo: string, command: string) => {
  const { WORKSPACE_URL: url = "", WORKSPACE_TOKEN: token = "" } = parseEnv(
    await readFile(join(persistTo, "dev.env"), "utf8"),
  );
  const started = Promise.withResolvers<number>();
  const call = { callId: crypto.randomUUID(), command, dir: ".", timeoutMs: START_MS };
  const end = new HostWorkspace({ url, token }, nodeFetch)
    .run(call, (_, text) => started.resolve(Number(text)), new AbortController().signal)
    .then(
      (result) => result.end,
      (error: unknown) => (error instanceof WorkspaceError ? error.code : error),
    );
  return { groupId: await started.promise, end };
};

describe("a dev command that ends", { timeout: START_MS }, () => {
  let persistTo: string;
  const servers: DevServer[] = [];

  const start = async (port: number): Promise<DevServer> => {
    const server = await startDevServer({ persistTo, port });
    servers.push(server);
    return server;
  };

  beforeAll(async () => {
    persistTo = await makePersistDir();
  });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.killGroup()));
  });

  afterAll(() => rm(persistTo, { recursive: true, force: true }));

  it.each(["SIGTERM", "SIGINT"] as const)("stops all it started on %s and ends with 0", async (signal) => {
    const server = await start(await findFreePort());
    expect(await server.stop(signal)).toBe(0);
    expect(isGroupRunning(server.record.wranglerGroupId)).toBe(false);
    expect(existsSync(join(persistTo, "dev.env"))).toBe(false);
    await expect(health(server)).rejects.toThrow("fetch failed");
  });

  it("has what was written before a kill -9 of all its processes, on the same port and directory", async () => {
    const killed = await start(await findFreePort());
    await callAction(killed, "add-stock", { symbol: "AAPL" });
    await killed.killGroup();
    const server = await start(killed.port);
    expect(await callAction(server, "list-stocks", {})).toMatchObject({ items: [{ symbol: "AAPL" }], total: 1 });
  });

  it("lets the next start end the wrangler that a kill -9 of the dev command alone left behind", async () => {
    const killed = await start(await findFreePort());
    process.kill(killed.record.devPid, "SIGKILL");
    await killed.ended;
    const server = await start(killed.port);
    expect(isGroupRunning(killed.record.wranglerGroupId)).toBe(false);
    expect(await health(server)).toMatchObject({ ok: true });
  });

  it("ends the command that the agent has running", async () => {
    const server = await start(await findFreePort());
    const command = await startAgentCommand(persistTo, "echo $$; trap '' HUP; sleep 600 & sleep 600");
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(await command.end).toBe("aborted");
  });

  it("lets the next start end the agent's command that a kill -9 left running", async () => {
    const killed = await start(await findFreePort());
    const command = await startAgentCommand(persistTo, "echo $$; sleep 600 & sleep 600");
    await killed.killGroup();
    expect(isGroupRunning(command.groupId)).toBe(true);
    await start(killed.port);
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(await command.end).toBe("unavailable");
  });

  it("ends with 1 and one line when wrangler dies by itself", async () => {
    const server = await start(await findFreePort());
    await signalAndWait(server.record.wranglerGroupId, "SIGKILL", START_MS);
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/\nwrangler has ended by itself; start again\.\n$/);
  });
});

describe("a start that is refused", () => {
  it("names an unknown option and the ones there are", async () => {
    expect(await runDevCommand(["--prot", "1"])).toEqual({
      exitCode: 2,
      output:
        "Unknown option '--prot'. Options: --port N, --persist-to DIR, --auth, --rate-limits, --no-host-workspace.\n",
    });
  });

  it("names AGENT_WORKSPACE_DIR when that is not a directory", async () => {
    expect(await runDevCommand([], { AGENT_WORKSPACE_DIR: "/does/not/exist" })).toEqual({
      exitCode: 1,
      output: "AGENT_WORKSPACE_DIR: /does/not/exist is not a directory. Create it, or name another.\n",
    });
  });
});
