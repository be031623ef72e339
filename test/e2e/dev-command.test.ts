/** `npm run dev` from outside: what it prints, what it refuses, and that it leaves nothing behind, however it ends. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { isGroupRunning, signalAndWait } from "../../src/host/process-group.ts";
import { HostWorkspace } from "../../src/workspace/host-workspace.ts";
import { WorkspaceError } from "../../src/workspace/workspace.ts";
import { type DevServer, findFreePort, runDevCommand, startDevServer } from "../support/dev-server.ts";
import { nodeFetch } from "../support/node-fetch.ts";

/** A start takes 5 s on a free machine. */
const START_MS = 60_000;

/** How long the port may still answer when the dev command has been killed. */
const GONE_MS = 5_000;

const makePersistDir = () => mkdtemp(join(tmpdir(), "tally-dev-"));

const health = async (server: DevServer): Promise<unknown> => (await fetch(`${server.url}/_framework/health`)).json();

const callAction = async (server: DevServer, name: string, input: unknown): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(input) };
  return (await fetch(`${server.url}/_framework/actions/${name}`, request)).json();
};

let persistTo: string;
let port: number;
let running: DevServer | undefined;

/** On the directory and the port of all tests here. */
const start = async (): Promise<DevServer> => {
  running = await startDevServer({ persistTo, port, env: { AGENT_WORKSPACE_DIR: persistTo } });
  return running;
};

/** The server that the test before has left running, else one that is started now: a start takes seconds. */
const takeServer = async (): Promise<DevServer> => running ?? (await start());

/** For a test that ends its server. */
const takeServerToEnd = async (): Promise<DevServer> => {
  const server = await takeServer();
  onTestFailed(() => server.killGroup());
  running = undefined;
  return server;
};

beforeAll(async () => {
  persistTo = await makePersistDir();
  port = await findFreePort();
});

afterAll(async () => {
  await running?.killGroup();
  await rm(persistTo, { recursive: true, force: true });
});

describe("a running dev command", { timeout: START_MS }, () => {
  it("serves the app with its database migrated", async () => {
    expect(await health(await takeServer())).toMatchObject({ ok: true });
  });

  it("prints who one is, which model answers, the workspace, and the address last", async () => {
    // Behind them come the lines of the requests.
    const [startUp] = (await takeServer()).output().split(/^\{/m);
    expect(startUp).toBe(
      [
        "Signed in as dev@local.test.",
        "Model: the built-in demo model. Set ANTHROPIC_API_KEY for a real one.",
        `Workspace: ${persistTo}`,
        `Ready on http://localhost:${port}`,
        "",
      ].join("\n"),
    );
  });

  it("makes another start on its port end with one line", async () => {
    await takeServer();
    const other = await makePersistDir();
    const { exitCode, output } = await runDevCommand(["--port", String(port), "--persist-to", other]);
    await rm(other, { recursive: true });
    expect(output).toBe(`Port ${port} is in use. Stop what listens there, or pass another --port N.\n`);
    expect(exitCode).toBe(1);
  });

  it("makes another start on its persist directory end with one line", async () => {
    const { record } = await takeServer();
    const { exitCode, output } = await runDevCommand(["--persist-to", persistTo]);
    expect(output).toBe(
      `${persistTo} is in use by process ${record.devPid}. Stop that one, or pass another --persist-to DIR.\n`,
    );
    expect(exitCode).toBe(1);
  });
});

/** A page of another program on this machine, which wrangler lets ask for everything under `/cdn-cgi/`. */
const NEIGHBOUR = "http://localhost:3000";

/** What a page there is told, by method; `null`: the browser keeps the answer from it. */
const tellNeighbour = async (path: string) => {
  const { url } = await takeServer();
  const ask = (method: string) => fetch(url + path, { method, headers: { origin: NEIGHBOUR } });
  const answers = await Promise.all(["GET", "POST", "OPTIONS"].map(ask));
  return answers.map(({ status, headers }) => [status, headers.get("access-control-allow-origin")]);
};

describe("a page of another origin", { timeout: START_MS }, () => {
  it.each([
    ...["explorer", "explorer/", "explorer/api", "explorer/api/d1/database", "local/explorer", "local/explorer/api"],
    ...["local/explorer/api/d1/database", "local/explorer/api/workers/durable_objects/namespaces"],
    ...["local/r2/public/b/k", "local/r2/s3/b", "mf/stream/x", "mf/imagedelivery/x", "mf/reload", "live-reload"],
    ...["ProxyWorker/play", "InspectorProxyWorker/websocket", "handler", "local", "pages-plugins/x", "trace", ""],
  ])("finds nothing at /cdn-cgi/%s", async (path) => {
    const unknown = [404, null];
    expect(await tellNeighbour(`/cdn-cgi/${path}`)).toEqual([unknown, unknown, unknown]);
  });

  // Wrangler has no switch for these three. The cron's work is due each minute anyway, and takes the time from the server.
  it.each([
    ["local/scheduled", 200],
    ["handler/scheduled", 200],
    ["mf/scheduled", 200],
    ["local/email", 400],
    ["handler/email", 400],
    ["local/platform-proxy", 400],
  ])("can read no answer of /cdn-cgi/%s", async (path, status) => {
    const kept = [status, null];
    expect(await tellNeighbour(`/cdn-cgi/${path}`)).toEqual([kept, kept, kept]);
  });
});

/** Runs a command as the Worker does, with the address it was given; its first output is its process group. */
const startAgentCommand = async (command: string) => {
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
  it("has what was written, and no command of the agent, at the start after a kill -9 of all its processes", async () => {
    const killed = await takeServerToEnd();
    await callAction(killed, "add-stock", { symbol: "AAPL" });
    const command = await startAgentCommand("echo $$; sleep 600 & sleep 600");
    await killed.killGroup();
    expect(isGroupRunning(command.groupId)).toBe(true);
    const server = await start();
    expect(await callAction(server, "list-stocks", {})).toMatchObject({ items: [{ symbol: "AAPL" }], total: 1 });
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(await command.end).toBe("unavailable");
  });

  it("takes all it started with it within 5 s of a kill -9, the agent's command and the secrets too", async () => {
    const killed = await takeServerToEnd();
    const command = await startAgentCommand("echo $$; sleep 600 & sleep 600");
    process.kill(killed.record.devPid, "SIGKILL");
    await expect.poll(() => isGroupRunning(killed.record.wranglerGroupId), { timeout: GONE_MS }).toBe(false);
    await expect(health(killed)).rejects.toThrow("fetch failed");
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(existsSync(join(persistTo, "dev.env"))).toBe(false);
    expect(await callAction(await start(), "list-stocks", {})).toMatchObject({ items: [{ symbol: "AAPL" }], total: 1 });
  });

  it("lets the next start end the wrangler that was left behind when what watches over it was killed as well", async () => {
    const killed = await takeServerToEnd();
    process.kill(killed.record.devPid, "SIGKILL");
    process.kill(killed.record.wranglerGroupId, "SIGKILL");
    await killed.ended;
    expect(isGroupRunning(killed.record.wranglerGroupId)).toBe(true);
    const server = await start();
    expect(isGroupRunning(killed.record.wranglerGroupId)).toBe(false);
    expect(await health(server)).toMatchObject({ ok: true });
  });

  // SIGTERM, which goes the same way, ends the servers of `turn.test.ts`.
  it("stops all it started on SIGINT, the agent's command with it, and ends with 0", async () => {
    const server = await takeServerToEnd();
    const command = await startAgentCommand("echo $$; trap '' HUP; sleep 600 & sleep 600");
    expect(await server.stop("SIGINT")).toBe(0);
    expect(isGroupRunning(command.groupId)).toBe(false);
    expect(await command.end).toBe("aborted");
    expect(isGroupRunning(server.record.wranglerGroupId)).toBe(false);
    expect(existsSync(join(persistTo, "dev.env"))).toBe(false);
    await expect(health(server)).rejects.toThrow("fetch failed");
  });

  it("ends with 1 and one line when wrangler dies by itself", async () => {
    const server = await takeServerToEnd();
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
