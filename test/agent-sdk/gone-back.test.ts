/** Where the real SDK goes on once the person has gone back in its session. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import { isInBranchSince } from "../../src/harness/agent-sdk/session-lines.ts";
import type { HarnessUnderTest } from "../support/agent-sdk/harness-client.ts";
import { callTools, say } from "../support/model-script.ts";
import type { Reply } from "../support/model-server/reply.ts";
import { holdBefore } from "../support/model-troubles.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";
import { killAfterEffect, killTurn } from "./troubles.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

/** The SDK's id of the last message of the model. */
const placeOf = (lines: readonly TurnLine[]): string =>
  lines
    .flatMap((line) =>
      line.type === "message" && line.message.type === "assistant" ? [String(line.message.uuid)] : [],
    )
    .at(-1) ?? "";

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const allow = () => ({ type: "allow" }) as const;

/** A session of two answers, and how the next turns in it begin behind the first. */
const answeredTwice = async (key: string, replies: readonly Reply[]) => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  await provider.script(key, [say("First."), say("Second."), ...replies]);
  const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const first = await host.turn({ ...turn, turnId: "1", begin: { type: "new", prompt: `[script:${key}] one` } });
  await host.turn({ ...turn, turnId: "2", begin: { type: "message", prompt: "two" } });
  const triedAt = await sizeOf(host, turn.sessionId);
  return { host, turn, triedAt, begin: { type: "behind", prompt: "another two", message: placeOf(first) } };
};

const sizeOf = async (host: HarnessUnderTest, sessionId: string): Promise<number> =>
  (await read(host, sessionId, 0)).byteLength;

const read = async (host: HarnessUnderTest, sessionId: string, offset: number): Promise<Uint8Array> =>
  new Uint8Array(await (await host.call("read-session", { sessionId, offset })).arrayBuffer());

/** Whether the SDK has noted since that byte that it goes on behind what was added there. */
const isInBranch = (host: HarnessUnderTest, sessionId: string, sinceByte: number): Promise<boolean> =>
  isInBranchSince(sinceByte, sessionId, {
    readSession: async (id, offset) => {
      const bytes = await read(host, id, offset);
      return { bytes, size: offset + bytes.byteLength };
    },
  });

const lastSent = async (key: string): Promise<string> =>
  JSON.stringify((await provider.requests(key)).at(-1)?.body.messages);

const once = (rest = "") =>
  callTools([{ name: "Bash", input: { command: `echo once >> effect.txt${rest}`, description: "" } }], {
    usage: { input: 500_000 },
  });

it("goes on behind an earlier message, in the session and in a copy of it under another id", async () => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  await provider.script("back", [say("First."), say("Second."), say("Other."), say("Next."), say("In the copy.")]);
  const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const first = await host.turn({ ...turn, turnId: "1", begin: { type: "new", prompt: "[script:back] one" } });
  await host.turn({ ...turn, turnId: "2", begin: { type: "message", prompt: "two" } });
  const behind = (prompt: string, message = placeOf(first)) => ({ type: "behind", prompt, message });
  await host.turn({ ...turn, turnId: "3", begin: behind("another two") });
  await host.turn({ ...turn, turnId: "4", begin: { type: "message", prompt: "three" } });
  const kept = await (await host.call("read-session", { sessionId: turn.sessionId, offset: 0 })).text();
  const copy = { ...turn, sessionId: crypto.randomUUID() };
  await host.restore(copy.sessionId, 0, kept);
  await host.call("delete-sessions", { sessionIds: [turn.sessionId] });
  await host.turn({ ...copy, turnId: "5", begin: behind("a third two") });
  const sent = (await provider.requests("back")).map(({ body }) => JSON.stringify(body.messages));
  expect(sent[2]).toMatch(/one.*First\..*another two/);
  expect(sent[3]).toMatch(/one.*First\..*another two.*Other\..*three/);
  expect(sent[4]).toMatch(/one.*First\..*a third two/);
  expect(sent.slice(2).join()).not.toContain("Second.");
  expect(sent[4]).not.toContain("another");
  const nowhere = await host.turn({ ...copy, turnId: "6", begin: behind("four", crypto.randomUUID()) });
  expect(JSON.stringify(nowhere)).toContain("No message found with message.uuid");
  expect(await provider.violations()).toEqual([]);
});

it("stays behind the message it went back to when the first turn there is killed, before an answer and after one", async () => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  const run = callTools([{ name: "Bash", input: { command: "echo once >> effect.txt; sleep 60", description: "" } }]);
  await provider.script("killed-back", [
    say("First."),
    say("Second."),
    holdBefore(say("Never.")),
    run,
    say("Third."),
    say("Fourth."),
  ]);
  const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const first = await host.turn({ ...turn, turnId: "1", begin: { type: "new", prompt: "[script:killed-back] one" } });
  await host.turn({ ...turn, turnId: "2", begin: { type: "message", prompt: "two" } });
  const begin = { type: "behind", prompt: "another two", message: placeOf(first) };
  const silent = host.turn({ ...turn, turnId: "3", begin });
  await vi.waitUntil(async () => (await provider.requests("killed-back")).length === 3, { timeout: 60_000 });
  killTurn(host);
  expect((await silent).at(-1)).toMatchObject({ end: "lost" });
  // Nothing was answered: it has to go back once more.
  const allow = () => ({ type: "allow" }) as const;
  const killed = host.turn({ ...turn, turnId: "4", begin }, allow, (line) => killAfterEffect(line, host));
  expect((await killed).at(-1)).toMatchObject({ end: "lost" });
  // It was answered, but the SDK by itself would go on behind "Second.": the turn had no end of its own.
  const again = { ...begin, prompt: "another two, and what became of the call" };
  await host.turn({ ...turn, turnId: "5", begin: again });
  await host.turn({ ...turn, turnId: "6", begin: { type: "message", prompt: "three" } });
  const sent = (await provider.requests("killed-back")).map(({ body }) => JSON.stringify(body.messages));
  expect(sent.slice(2).join()).not.toContain("Second.");
  expect(sent.at(-1)).toMatch(/one.*First\..*what became of the call.*Third\..*three/);
  expect(readIfThere(join(host.dir, "effect.txt"))).toBe("once\n");
  expect(await provider.violations()).toEqual([]);
});

it.each([
  ["has used up its steps", { maxTurns: 1 }, "error_max_turns"],
  ["is over its budget", { budgetUsd: 0.1 }, "error_max_budget_usd"],
])("goes on there by itself behind a turn that %s", async (_, limit, subtype) => {
  const { host, turn, triedAt, begin } = await answeredTwice(subtype, [once(), say("Third.")]);
  const cut = await host.turn({ ...turn, turnId: "3", begin, ...limit }, allow);
  expect(cut.at(-2)).toMatchObject({ message: { type: "result", is_error: true, subtype } });
  expect(await isInBranch(host, turn.sessionId, triedAt)).toBe(true);
  await host.turn({ ...turn, turnId: "4", begin: { type: "message", prompt: "three" } });
  const sent = await lastSent(subtype);
  expect(sent).toMatch(/one.*First\..*another two.*echo once.*three/);
  expect(sent).not.toContain("Second.");
});

it("goes on there by itself behind a turn that was stopped, and notes so", async () => {
  const { host, turn, triedAt, begin } = await answeredTwice("stopped-back", [once("; sleep 60"), say("Third.")]);
  const cut = host.turn({ ...turn, turnId: "3", begin }, allow);
  await vi.waitUntil(() => existsSync(join(host.dir, "effect.txt")), { timeout: 60_000 });
  await host.call("stop", { turnId: "3" });
  expect((await cut).at(-1)).toMatchObject({ end: "stopped" });
  expect(await isInBranch(host, turn.sessionId, triedAt)).toBe(true);
  await host.turn({ ...turn, turnId: "4", begin: { type: "message", prompt: "three" } });
  const sent = await lastSent("stopped-back");
  expect(sent).toMatch(/one.*First\..*another two.*echo once.*three/);
  expect(sent).not.toContain("Second.");
  expect(await provider.violations()).toEqual([]);
});

it("notes nothing of the kind in a turn that was killed", async () => {
  const { host, turn, triedAt, begin } = await answeredTwice("killed-note", [once("; sleep 60")]);
  await host.turn({ ...turn, turnId: "3", begin }, allow, (line) => killAfterEffect(line, host));
  expect(await sizeOf(host, turn.sessionId)).toBeGreaterThan(triedAt);
  expect(await isInBranch(host, turn.sessionId, triedAt)).toBe(false);
});
