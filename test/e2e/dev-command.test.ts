/** `npm run dev` from outside: what it prints, what it refuses, and that it leaves nothing behind, however it ends. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findFreePort } from "../../src/process/port.ts";
import { type DevServer, runDevCommand, startDevServer } from "../support/dev-server.ts";

/** A start takes 5 s on a free machine, and may take 90 s. */
const START_MS = 180_000;

const makePersistDir = () => mkdtemp(join(tmpdir(), "tally-dev-"));

const health = async (server: DevServer): Promise<unknown> => (await fetch(`${server.url}/_framework/health`)).json();

let persistTo: string;
let workspace: string;
let port: number;
let running: DevServer | undefined;

/** On the directory and the port of all tests here. */
const start = async (): Promise<DevServer> => {
  running = await startDevServer({ persistTo, port, env: { AGENT_WORKSPACE_DIR: workspace } });
  return running;
};

/** The server that the test before has left running, else one that is started now: a start takes seconds. */
const takeServer = async (): Promise<DevServer> => running ?? (await start());

beforeAll(async () => {
  persistTo = await makePersistDir();
  workspace = await makePersistDir();
  port = await findFreePort();
});

afterAll(async () => {
  await running?.killGroup();
  await rm(persistTo, { recursive: true, force: true });
  await rm(workspace, { recursive: true, force: true });
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
        `Workspace: ${workspace}`,
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
      `${persistTo} is in use by process ${record.devPid}. Stop that process, or pass another --persist-to DIR.\n`,
    );
    expect(exitCode).toBe(1);
  });
});

describe("two starts at once on a new directory", { timeout: START_MS }, () => {
  it("are one that serves it, and one that ends and names the other", async () => {
    const dir = await makePersistDir();
    const startThere = async () =>
      startDevServer({ persistTo: dir, port: await findFreePort(), env: { AGENT_WORKSPACE_DIR: workspace } });
    const starts = await Promise.allSettled([startThere(), startThere()]);
    const servers = starts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.killGroup()));
      await rm(dir, { recursive: true });
    });
    expect(servers).toHaveLength(1);
    const problems = starts.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(problems).toEqual([
      `Error: npm run dev ended with 1:\n${dir} is in use by process ${servers[0]?.record.devPid}. Stop that process, or pass another --persist-to DIR.\n`,
    ]);
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
    ...["local/scheduled", "handler/scheduled", "mf/scheduled", "local/email", "handler/email", "local/platform-proxy"],
  ])("finds nothing at /cdn-cgi/%s", async (path) => {
    const unknown = [404, null];
    expect(await tellNeighbour(`/cdn-cgi/${path}`)).toEqual([unknown, unknown, unknown]);
  });
});

describe("a question about the options", () => {
  it("is answered with a line for each, and nothing is started", async () => {
    const { exitCode, output } = await runDevCommand(["--help"]);
    expect(exitCode).toBe(0);
    expect(output.match(/^ {2}--[a-z-]+/gm)).toEqual([
      "  --port",
      "  --persist-to",
      "  --demo",
      "  --auth",
      "  --rate-limits",
      "  --service-worker",
      "  --no-host-workspace",
      "  --harness",
    ]);
  });
});

describe("a start that is refused", () => {
  it("names an unknown option and the ones there are", async () => {
    expect(await runDevCommand(["--prot", "1"])).toEqual({
      exitCode: 2,
      output:
        "Unknown option '--prot'. Options: --port N, --persist-to DIR, --demo, --auth, --rate-limits, --service-worker, --no-host-workspace, --harness NAME.\n",
    });
  });

  it("names AGENT_WORKSPACE_DIR when that is not a directory", async () => {
    expect(await runDevCommand([], { AGENT_WORKSPACE_DIR: "/does/not/exist" })).toEqual({
      exitCode: 1,
      output: "AGENT_WORKSPACE_DIR: /does/not/exist is not a directory. Create it, or name another.\n",
    });
  });
});
