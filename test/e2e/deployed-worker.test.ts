/**
 * The Worker in the modules that a deploy uploads. The rest of the tests run it in one file, as wrangler bundles it; here the modules that
 * load late are loaded: better-auth, just-bash with the re2js it shares (decision 0091), actions, and what a run drives with
 * (decision 0195).
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCommandNames } from "just-bash";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { buildWorker, MODULES_DIR } from "../../src/cli/build/build-worker.ts";
import { META_FILE } from "../../src/cli/build/worker-build.ts";
import { runWrangler, startWrangler } from "../../src/cli/dev/wrangler.ts";
import { findFreePort } from "../../src/process/port.ts";
import { endProcessGroup } from "../../src/process/process-group.ts";
import { PROJECT_DIR } from "../../src/process/project.ts";
import { LEFT_OUT_COMMANDS } from "../../src/workspace/durable/left-out-commands.ts";
import { type DevClient, openDevClient } from "../support/dev-client.ts";
import { startMessagesApiServer } from "../support/messages-api-server.ts";
import { callTool, say } from "../support/model-script.ts";
import { scriptModel } from "../support/scripted-model.ts";

/** A build and two starts of wrangler, some 15 s on a free machine. */
const TIMEOUT_MS = 300_000;

const variables = (modelUrl: string): string[] =>
  [
    "BETTER_AUTH_SECRET:0123456789abcdef0123456789abcdef",
    "ALLOWED_EMAILS:ann@example.com",
    "PRINT_SIGN_IN_CODES:true",
    "ANTHROPIC_API_KEY:test-key",
    `ANTHROPIC_BASE_URL:${modelUrl}`,
    "AGENT_TITLES:off",
  ].flatMap((variable) => ["--var", variable]);

const cleanUps: (() => Promise<unknown>)[] = [];
let built: string;
let client: DevClient;
let modelUrl: string;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "tally-deployed-"));
  cleanUps.push(() => rm(dir, { recursive: true, force: true }));
  const model = await startMessagesApiServer();
  cleanUps.push(() => model.close());
  modelUrl = model.url;
  const config = await buildWorker(dir);
  built = join(dir, MODULES_DIR);
  const place = ["--local", "--config", config, "--persist-to", join(dir, "data")];
  const migrated = await runWrangler(["d1", "migrations", "apply", "DB", ...place], {
    relay: false,
    signal: new AbortController().signal,
  });
  expect(migrated).toMatchObject({ exitCode: 0 });
  const port = await findFreePort();
  const where = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  const wrangler = startWrangler(["dev", "--no-bundle", ...place, ...where, ...variables(modelUrl)]);
  cleanUps.unshift(() => endProcessGroup(wrangler.groupId));
  const lines = linesOf(wrangler.stdout);
  await lines.line(/(Ready on)/);
  client = await openDevClient({ url: `http://127.0.0.1:${port}`, line: lines.line }, "ann@example.com");
}, TIMEOUT_MS);

afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** What esbuild says of each file that it made. */
const Outputs = z.object({
  outputs: z.record(
    z.string(),
    z.object({
      imports: z.array(z.object({ path: z.string(), kind: z.string() })),
      inputs: z.record(z.string(), z.object({ bytesInOutput: z.int() })),
    }),
  ),
});

it("evaluates at its start what the entry imports, nothing that loads late, and nothing twice", async () => {
  const { outputs } = Outputs.parse(JSON.parse(await readFile(join(PROJECT_DIR, META_FILE), "utf8")));
  const entry = Object.keys(outputs).find((path) => path.endsWith("/worker.js"));
  const atStart = new Set([entry]);
  for (const path of atStart) {
    for (const { path: next, kind } of outputs[path ?? ""]?.imports ?? []) {
      if (kind === "import-statement" && outputs[next] !== undefined) atStart.add(next);
    }
  }
  const sourcesOf = (path: string | undefined) =>
    Object.entries(outputs[path ?? ""]?.inputs ?? {}).flatMap(([source, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [source] : [],
    );
  const evaluated = [...atStart].flatMap(sourcesOf);
  expect(evaluated).toEqual(expect.arrayContaining(["src/worker.ts", "src/run/run-object.ts", "src/http/app.ts"]));
  const late =
    /src\/(harness\/(anthropic|agent-sdk)|model\/anthropic|quotes\/sources)\/|node_modules\/(@anthropic-ai|better-auth|just-bash|re2js)\//;
  expect(evaluated.filter((source) => late.test(source))).toEqual([]);
  const all = Object.keys(outputs).flatMap(sourcesOf);
  expect(all.filter((source, index) => all.indexOf(source) !== index)).toEqual([]);
  expect(all.filter((source) => late.test(source)).length).toBeGreaterThan(50);
});

/** The modules in a directory: their names, and what is in them. */
const modulesIn = async (dir: string): Promise<[name: string, digest: string][]> => {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".js")).sort();
  const digest = async (name: string) =>
    createHash("sha256")
      .update(await readFile(join(dir, name)))
      .digest("hex");
  return await Promise.all(names.map(async (name): Promise<[string, string]> => [name, await digest(name)]));
};

it("is the same wherever it is built, and so is its size", { timeout: TIMEOUT_MS }, async () => {
  const parent = await mkdtemp(join(tmpdir(), "tally-deployed-again-"));
  cleanUps.push(() => rm(parent, { recursive: true, force: true }));
  const dir = join(parent, "further", "from", "the", "sources");
  await mkdir(dir, { recursive: true });
  await buildWorker(dir);
  const modules = await modulesIn(join(dir, MODULES_DIR));
  expect(modules.length).toBeGreaterThan(10);
  expect(modules).toEqual(await modulesIn(built));
});

it("has a configuration that names no database but its own", async () => {
  expect(await readFile(join(built, "../wrangler.json"), "utf8")).not.toContain("preview_database_id");
});

it("signs a person in", async () => {
  expect(await client.get("/_framework/session")).toMatchObject({ status: 200, body: { email: "ann@example.com" } });
});

it("answers the routes of sign-in and organizations that are open", async () => {
  const auth = "/_framework/auth";
  const made = await client.post(`${auth}/organization/create`, { name: "Ours", slug: "ours" });
  expect(made).toMatchObject({ slug: "ours" });
  const organizationId = Object(made).id;
  expect(await client.get(`${auth}/organization/list`)).toMatchObject({ status: 200, body: [{ slug: "ours" }] });
  const renamed = { organizationId, data: { name: "Ours again" } };
  expect(await client.post(`${auth}/organization/update`, renamed)).toMatchObject({ name: "Ours again" });
  const full = await client.get(`${auth}/organization/get-full-organization?organizationId=${organizationId}`);
  expect(full).toMatchObject({ status: 200, body: { members: [{ role: "owner" }] } });
  expect(await client.get(`${auth}/list-sessions`)).toMatchObject({ status: 200, body: [{}] });
  expect(await client.post(`${auth}/revoke-other-sessions`, {})).toMatchObject({ status: true });
  expect(await client.post(`${auth}/sign-up/email`, {})).toEqual({ error: "Not found." });
  // Nobody reads the body of that, so the next request on its connection may be lost; wrangler's proxy repeats a GET.
  expect(await client.get("/_framework/session")).toMatchObject({ status: 200 });
});

it("reads and changes stocks", async () => {
  expect(await client.post("/_framework/actions/add-stock", { symbol: "AAPL", name: "Apple" })).toMatchObject({
    stock: { symbol: "AAPL" },
  });
  expect(await client.get("/_framework/actions/list-stocks?limit=5")).toMatchObject({
    status: 200,
    body: { items: [{ symbol: "AAPL" }] },
  });
});

it("has every command of just-bash but those that are left out", { timeout: TIMEOUT_MS }, async () => {
  const all = getCommandNames();
  expect(all).toEqual(expect.arrayContaining(LEFT_OUT_COMMANDS.filter((name) => name !== "curl")));
  // The shell has these two itself: `help` is built in, and `time` is a word of its grammar.
  const names = all.filter((name) => name !== "help" && name !== "time");
  const tried = names.map((name) => `echo ${name}: $(${name} --help 2>&1 | head -n 1)`).join("; ");
  const output = await run(tried);
  const missing = [...output.matchAll(/^([\w-]+): .*(?:not found|is not|cannot read|undefined)/gim)].map(
    ([, name]) => name,
  );
  expect(missing).toEqual(LEFT_OUT_COMMANDS.filter((name) => names.includes(name)));
  expect(output.split("\n").length).toBeGreaterThan(names.length - 1);
});

/**
 * Keeps the next POST off a connection that closes after 5 s without use: wrangler's proxy repeats a GET that is lost, and no POST. There
 * is no listener here to see to it (decision 0191).
 */
const freshenConnection = () => client.get("/_framework/session");

/** The output of a command in the workspace. */
const run = async (command: string): Promise<string> => {
  const model = await scriptModel(modelUrl, [callTool("run_shell", { command }), say("Done.")]);
  await freshenConnection();
  const { runId, events } = await client.startTurn("shell", model.prompt("Run it."));
  const asked = Promise.withResolvers<unknown>();
  const read = client.readToEnd(events, (event) => {
    if (event.type === "permission_request") asked.resolve(event.requestId);
  });
  const unasked = read.then((all) => {
    throw new Error(`Nobody was asked: ${all.map(({ type }) => type).join()}`);
  });
  const requestId = await Promise.race([asked.promise, unasked]);
  unasked.catch(() => {});
  await freshenConnection();
  expect(await client.decide(runId, requestId, "allow_once")).toEqual({ requestId, decision: "allow_once" });
  const seen = await read;
  expect(await model.violations()).toEqual([]);
  const end = seen.find(({ type }) => type === "tool_end");
  expect(end).toMatchObject({ status: "completed" });
  return String(end?.output);
};

it("runs commands that search by regular expressions and patterns", { timeout: TIMEOUT_MS }, async () => {
  const command = `printf 'abc\\nb12\\n' | sed -E 's/(b)([0-9]+)/<\\2>/' | grep -E '^<[0-9]{2}>$'`;
  const output = await run(`${command}; : > a1.txt; ls 'a?.txt'; find . -name 'a?.txt'; ls a?.txt`);
  // To `ls`, as to the real one, a pattern is a name.
  for (const line of ["<12>", "ls: a?.txt: No such file or directory", "./a1.txt", "\na1.txt"]) {
    expect(output).toContain(line);
  }
});

/** What a process prints; `line` resolves to the first group of a pattern once it was printed. */
const linesOf = (stream: NodeJS.ReadableStream) => {
  let output = "";
  const lookers = new Set<() => void>();
  stream.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    for (const look of lookers) look();
  });
  const line = (pattern: RegExp): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = () => {
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    lookers.add(look);
    look();
    return promise;
  };
  return { line };
};
