/** What the host and the recordings rely on, with the real SDK. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import { listProcesses } from "../../src/process/process-group.ts";
import { readRecording } from "../support/agent-sdk/recording.ts";
import { callTools, say } from "../support/model-script.ts";
import { MODEL, openRealHarness, play } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";
import { SCENARIOS } from "./scenarios.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

/** What a reader of the lines goes by. The SDK's own notices, such as of limits and hooks, may come or not. */
const story = (lines: readonly TurnLine[]): string[] =>
  lines.flatMap((line) => {
    if (line.type !== "message") return line.type === "ended" ? [`ended ${line.end}`] : [line.type];
    return ["assistant", "user", "result"].includes(line.message.type) ? [line.message.type] : [];
  });

const results = (lines: readonly TurnLine[]): string =>
  JSON.stringify(lines.flatMap((line) => (line.type === "message" && line.message.type === "user" ? [line] : [])));

const Said = z.object({ role: z.string(), content: z.unknown() });

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** Plays one turn in which the model makes these calls. */
const callInTurn = async (
  key: string,
  calls: (dir: string) => readonly { name: string; input: Record<string, unknown> }[],
  prepare: (dir: string, stateDir: string) => void = () => undefined,
) => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  prepare(host.dir, host.stateDir);
  await provider.script(key, [callTools(calls(host.dir)), say("Done.")]);
  const turn = { turnId: key, sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const begin = { type: "new", prompt: `[script:${key}] go` };
  return { host, lines: await host.turn({ ...turn, begin }, () => ({ type: "allow" })) };
};

describe("the real SDK", () => {
  it.each(SCENARIOS.filter(({ isVaried }) => isVaried !== true))(
    "still does what was recorded: $name",
    async (scenario) => {
      const { turns, host } = await play(scenario, provider);
      onTestFinished(host.close);
      expect(turns.map(({ lines }) => story(lines).sort())).toEqual(
        readRecording(scenario.name).turns.map(({ lines }) => story(lines).sort()),
      );
      expect(await provider.violations()).toEqual([]);
    },
  );

  it("reads the message behind a command that was killed, once, and can be asked about the next one", async () => {
    const scenario = SCENARIOS.find(({ name }) => name === "killed-in-answer");
    if (scenario === undefined) throw new Error("No such scenario.");
    const { turns, host } = await play(scenario, provider);
    onTestFinished(host.close);
    const [, , after, answered] = turns.map(({ lines }) => story(lines));
    expect(after?.slice(-2)).toEqual(["result", "ended result"]);
    expect(answered).toEqual(["started", "permission", "user", "assistant", "result", "ended result"]);
    const requests = (await provider.requests(scenario.name)).map(({ body }) => JSON.stringify(body.messages));
    expect(requests).toHaveLength(3);
    expect(requests[1]).toContain("Go on.");
    expect(readIfThere(join(host.dir, "effect.txt"))).toBe("once\n");
  });

  it("runs a command whose environment has no credential", async () => {
    const { lines } = await callInTurn("environment", () => [
      { name: "Bash", input: { command: "env", description: "" } },
    ]);
    expect(results(lines)).toContain("TALLY_TURN=");
    expect(results(lines)).not.toContain("test-token");
  });

  it("ends a command that ignores TERM when its turn is stopped", async () => {
    const host = await openRealHarness(provider);
    onTestFinished(host.close);
    const command = "trap '' TERM; echo $$ > pid; while true; do sleep 1; done";
    await provider.script("stopped", [callTools([{ name: "Bash", input: { command, description: "" } }])]);
    const begin = { type: "new", prompt: "[script:stopped] go" };
    const turn = { turnId: "stopped", sessionId: crypto.randomUUID(), model: MODEL, tools: [], begin };
    const lines = host.turn(turn, () => ({ type: "allow" }));
    const pid = await vi.waitUntil(() => readIfThere(join(host.dir, "pid")), { timeout: 60_000 });
    const startedMs = performance.now();
    await host.call("stop", { turnId: "stopped" });
    process.stdout.write(`Stopped after ${Math.round(performance.now() - startedMs)} ms.\n`);
    expect(listProcesses().filter((one) => one.pid === Number(pid))).toEqual([]);
    expect((await lines).at(-1)).toMatchObject({ type: "ended", end: "stopped" });
  });

  it("finds nothing in guarded files", async () => {
    const { lines } = await callInTurn(
      "guarded",
      (dir) => [
        { name: "Read", input: { file_path: join(dir, ".env.example") } },
        { name: "Grep", input: { pattern: "needle", output_mode: "content" } },
        { name: "Glob", input: { pattern: "**/*" } },
      ],
      (dir) => {
        const copies = [
          "id_rsa.old",
          "server.pem~",
          ".npmrc.bak",
          ".server.pem.swp",
          "#.env#",
          ".#id_rsa",
          ".env.orig~",
          ...[".envrc", ".env_x", ".env.e", ".env.exam", ".env.sample", ".env.example.local", ".ENV.EXAMPLES"],
          ...[".env copy", ".env (1)", ".env@prod", ".env..local", ".env.e copy", ".env-prod", ".envé", ".env+x"],
        ];
        for (const name of ["plain.txt", ".env.example", ".env", ".ENV.local", "server.pem", "id_rsa", ...copies]) {
          writeFileSync(join(dir, name), "needle\n");
        }
      },
    );
    expect(results(lines)).toContain("plain.txt");
    expect(results(lines)).not.toMatch(/denied/i);
    // By Grep and by Glob.
    expect(results(lines).match(/\.env\.example\b/g)?.length).toBeGreaterThan(1);
    expect(results(lines)).not.toMatch(/\.env(?!\.example\b(?!\.))|\.ENV|server\.pem|id_rsa|npmrc/);
  });

  it("loads no settings, hooks, servers or memory files of the person or the project", async () => {
    const { host } = await callInTurn(
      "planted",
      () => [{ name: "Bash", input: { command: "true", description: "" } }],
      (dir, stateDir) => {
        for (const place of [dir, join(stateDir, "harness/home")]) {
          mkdirSync(join(place, ".claude"), { recursive: true });
          const hook = [{ hooks: [{ type: "command", command: `touch ${join(dir, "planted-hook-ran")}` }] }];
          writeFileSync(
            join(place, ".claude/settings.json"),
            JSON.stringify({ hooks: { PreToolUse: hook, SessionStart: hook } }),
          );
          for (const name of ["CLAUDE.md", ".claude/CLAUDE.md"]) writeFileSync(join(place, name), "PLANTED MEMORY");
          const server = { command: "touch", args: [join(dir, "planted-server-ran")] };
          writeFileSync(join(place, ".mcp.json"), JSON.stringify({ mcpServers: { planted: server } }));
        }
      },
    );
    const requests = JSON.stringify(await provider.requests("planted"));
    expect(requests).toContain("[script:planted]");
    expect(requests).not.toContain("PLANTED MEMORY");
    expect(["planted-hook-ran", "planted-server-ran"].filter((name) => existsSync(join(host.dir, name)))).toEqual([]);
  });

  it("asks again for a deferred call whose turn was stopped before the answer, and runs it once", async () => {
    const host = await openRealHarness(provider);
    onTestFinished(host.close);
    const command = { command: "echo once >> effect.txt", description: "" };
    await provider.script("again", [callTools([{ name: "Bash", input: command }]), say("Done.")]);
    const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
    const begin = { type: "new", prompt: "[script:again] go" };
    await host.turn({ ...turn, turnId: "1", begin }, () => ({ type: "ask" }));
    const stop = (line: TurnLine) => line.type === "permission" && void host.call("stop", { turnId: "2" });
    await host.turn({ ...turn, turnId: "2", begin: { type: "deferred" } }, () => undefined, stop);
    expect(readIfThere(join(host.dir, "effect.txt"))).toBe("");
    await host.turn({ ...turn, turnId: "3", begin: { type: "deferred" } }, () => ({ type: "allow" }));
    expect(readIfThere(join(host.dir, "effect.txt"))).toBe("once\n");
    expect(await provider.requests("again")).toHaveLength(2);
  });

  it("resumes a session whose files were lost and put back, with one new message", async () => {
    const host = await openRealHarness(provider);
    onTestFinished(host.close);
    await provider.script("kept", [say("First."), say("Second.")]);
    const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
    await host.turn({ ...turn, turnId: "1", begin: { type: "new", prompt: "[script:kept] one" } });
    const kept = await (await host.call("read-session", { sessionId: turn.sessionId, offset: 0 })).text();
    await host.call("delete-sessions", { sessionIds: [turn.sessionId] });
    await host.restore(turn.sessionId, 0, kept);
    const lines = await host.turn({ ...turn, turnId: "2", begin: { type: "message", prompt: "two" } });
    expect(story(lines)).toEqual(["started", "assistant", "result", "ended result"]);
    const sent = JSON.stringify((await provider.requests("kept")).at(-1)?.body.messages);
    expect(sent).toMatch(/\[script:kept\] one.*First\..*two/);
  });

  it("refuses a session whose file has no prompt, and a new one under an id that has a file", async () => {
    const host = await openRealHarness(provider);
    onTestFinished(host.close);
    await provider.script("refused", [say("Never."), say("Never.")]);
    const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
    const noted = { type: "queue-operation", operation: "enqueue", sessionId: turn.sessionId };
    await host.restore(turn.sessionId, 0, `${JSON.stringify(noted)}\n`);
    const prompt = "[script:refused] go";
    const resumed = await host.turn({ ...turn, turnId: "1", begin: { type: "message", prompt } });
    expect(JSON.stringify(resumed)).toContain("No conversation found with session ID");
    const begun = await host.turn({ ...turn, turnId: "2", begin: { type: "new", prompt } });
    expect(begun.at(-1)).toMatchObject({ type: "ended", end: "lost" });
    expect(await provider.requests("refused")).toEqual([]);
  });

  it("resumes a session of last week: the provider sees the same talk and one new message of the person", async () => {
    const host = await openRealHarness(provider);
    onTestFinished(host.close);
    await provider.script("old", [say("First."), say("Second.")]);
    const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
    await host.turn({ ...turn, turnId: "1", begin: { type: "new", prompt: "[script:old] one" } });
    const file = readdirSync(host.stateDir, { recursive: true, encoding: "utf8" }).find((name) =>
      name.endsWith(`${turn.sessionId}.jsonl`),
    );
    const path = join(host.stateDir, file ?? "");
    const lastWeek = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
    const today = new Date().toISOString().slice(0, 10);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replaceAll(`"${today}T`, `"${lastWeek.toISOString().slice(0, 10)}T`),
    );
    utimesSync(path, lastWeek, lastWeek);
    await host.turn({ ...turn, turnId: "2", begin: { type: "message", prompt: "two" } });
    const [before, after] = (await provider.requests("old")).map(({ body }) => z.array(Said).parse(body.messages));
    const persons = (messages: readonly z.infer<typeof Said>[] = []) =>
      messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
    expect(persons(after)).toHaveLength(persons(before).length + 1);
    expect(persons(after).at(-1)).toContain('"two"');
  });
});
