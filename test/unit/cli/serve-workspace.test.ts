/** `npm run workspace` as a person starts it: what it refuses, and whom it lets in. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseWorkspaceOptions } from "../../../src/cli/workspace-options.ts";
import { recordTurn, turnRecordsIn } from "../../../src/harness-host/turn-processes.ts";
import { findFreePort } from "../../../src/process/port.ts";
import { PROJECT_DIR } from "../../../src/process/project.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { hostHeaders } from "../../support/host-workspace.ts";
import { nodeFetch } from "../../support/node-fetch.ts";

const TOKEN = "x".repeat(43);

let parent: string;
let dir: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "tally-serve-"));
  dir = join(parent, "root");
  mkdirSync(dir);
});
afterEach(async () => {
  const running = started.splice(0).filter(({ exitCode }) => exitCode === null);
  await Promise.all(running.map((child) => [once(child, "exit"), child.kill("SIGKILL")][0]));
  rmSync(parent, { recursive: true, force: true });
});

const start = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const program = join(PROJECT_DIR, "src/cli/serve-workspace.ts");
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? "", AGENT_WORKSPACE_DIR: dir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  return child;
};

const stateDirOf = (port: number): string => join(PROJECT_DIR, ".wrangler", `workspace-${port}`);

/** `before`: what there is in its state directory when it starts. */
const startServing = async (args: readonly string[], before: (stateDir: string) => void = () => undefined) => {
  const port = await findFreePort();
  before(stateDirOf(port));
  const child = start(["--port", String(port), ...args], { WORKSPACE_TOKEN: TOKEN });
  const serving = Promise.withResolvers<void>();
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes("Serving on")) serving.resolve();
  });
  // For example because another program has taken the port meanwhile.
  const ended = text(child.stderr).then((errors) => {
    throw new Error(`It ended before it served: ${errors}`);
  });
  await Promise.race([serving.promise, ended]);
  return { child, port, output: () => output };
};

const statusFor = async (port: number, headers: Readonly<Record<string, string>>): Promise<number | undefined> => {
  const sent = request(`http://127.0.0.1:${port}/list`, { method: "POST", headers, agent: false });
  sent.end('{"path":".","limit":1}');
  const [answer] = await once(sent, "response");
  answer.resume();
  return answer.statusCode;
};

describe("the workspace program", () => {
  it("serves its directory, says so without the token, and ends with 0 on TERM", async () => {
    writeFileSync(join(dir, "a.txt"), "here");
    const { child, port, output } = await startServing([]);
    const workspace = new HostWorkspace({ url: `http://127.0.0.1:${port}/`, token: TOKEN }, nodeFetch);
    expect(await workspace.stat("a.txt")).toMatchObject({ type: "file", size: 4 });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(output()).toBe(`Workspace: ${dir}\nServing on http://127.0.0.1:${port}\n`);
    rmSync(stateDirOf(port), { recursive: true, force: true });
  });

  it("lets in the public host and its own address, and nobody else", async () => {
    const { port } = await startServing(["--public-host", "files.example.com"]);
    const right = hostHeaders(TOKEN);
    const proxied = { host: "files.example.com", ...right };
    expect(await statusFor(port, proxied)).toBe(200);
    expect(await statusFor(port, right)).toBe(200);
    expect(await statusFor(port, { ...proxied, host: "files.example.com:443" })).toBe(403);
    expect(await statusFor(port, { ...proxied, host: "example.com" })).toBe(403);
    expect(await statusFor(port, { ...proxied, origin: "https://files.example.com" })).toBe(403);
    expect(await statusFor(port, { ...proxied, "sec-fetch-site": "same-origin" })).toBe(403);
    expect(await statusFor(port, { ...proxied, authorization: "Bearer wrong" })).toBe(401);
    rmSync(stateDirOf(port), { recursive: true, force: true });
  });

  it("ends a turn that a killed start with another harness has left running", async () => {
    const turn = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const ended = once(turn, "exit");
    await once(turn, "spawn");
    const { port } = await startServing([], (stateDir) => recordTurn(turnRecordsIn(stateDir), "mark", turn.pid ?? 0));
    // What was left has ended by now. If it has not, this ends it.
    turn.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGTERM"]);
    rmSync(stateDirOf(port), { recursive: true, force: true });
  });

  it("refuses to start without a token, with a word that says how to make one", async () => {
    const child = start([], {});
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect({ errors, exitCode }).toEqual({
      errors: "WORKSPACE_TOKEN is empty. Put a token there, for example from: openssl rand -base64 32\n",
      exitCode: 1,
    });
  });
});

describe("the options of the workspace program", () => {
  const parse = (args: readonly string[], env: Readonly<Record<string, string>> = { WORKSPACE_TOKEN: TOKEN }) =>
    parseWorkspaceOptions(args, { AGENT_WORKSPACE_DIR: dir, ...env }, parent);

  it("take the token from a file that only its owner may read", () => {
    writeFileSync(join(parent, "token"), `${TOKEN}\n`, { mode: 0o600 });
    expect(parse(["--token-file", "token"], {})).toMatchObject({ token: TOKEN, dir, port: 8_790 });
    chmodSync(join(parent, "token"), 0o640);
    expect(() => parse(["--token-file", "token"], {})).toThrow(
      `Run: chmod 600 ${join(parent, "token")} (or, where that changes nothing, as on a drive of Windows, give the token as WORKSPACE_TOKEN)`,
    );
  });

  it.each([
    ["a token of 31 characters", [], { WORKSPACE_TOKEN: "x".repeat(31) }, /shorter than 32/],
    ["a token with a space in it", [], { WORKSPACE_TOKEN: `${TOKEN} ${TOKEN}` }, /without spaces/],
    ["a missing token file", ["--token-file", "none"], {}, /no file/],
    ["a directory that is none", [], { AGENT_WORKSPACE_DIR: "/none", WORKSPACE_TOKEN: TOKEN }, /not a directory/],
    ["a port that is none", ["--port", "0"], { WORKSPACE_TOKEN: TOKEN }, /--port/],
    [
      "a public host with a scheme",
      ["--public-host", "https://a.example"],
      { WORKSPACE_TOKEN: TOKEN },
      /host name alone/,
    ],
  ])("refuse %s", (_, args, env, message) => {
    expect(() => parse(args, env)).toThrow(message);
  });

  it("take a directory of the checkout in which nothing of that is", () => {
    const env = { AGENT_WORKSPACE_DIR: join(PROJECT_DIR, "docs"), WORKSPACE_TOKEN: TOKEN };
    expect(parse([], env).dir).toBe(join(PROJECT_DIR, "docs"));
  });

  it.each([".", "..", "src", "src/cli", "node_modules"])(
    "refuse a directory with what the server runs: %s",
    (place) => {
      const env = { AGENT_WORKSPACE_DIR: join(PROJECT_DIR, place), WORKSPACE_TOKEN: TOKEN };
      expect(() => parse([], env)).toThrow(
        /holds, or is inside, files this server runs from\. Name another directory\.$/,
      );
    },
  );

  it("do not repeat a token that was given on the command line", () => {
    expect(() => parse([`--token=${TOKEN}`])).toThrow(
      /^The command line was not understood\. Options: [^x]*FILE, --harness NAME\.$/,
    );
  });
});

describe("the Worker's client", () => {
  it.each(["http://files.example.com", "http://127.0.0.1.example.com", "ftp://127.0.0.1", "files.example.com", ""])(
    "sends the token nowhere when the address is %j",
    async (url) => {
      const sent: string[] = [];
      const workspace = new HostWorkspace({ url, token: TOKEN }, async (to) => {
        sent.push(to);
        return new Response();
      });
      await expect(workspace.stat(".")).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/https/),
      });
      expect(sent).toEqual([]);
    },
  );
});
