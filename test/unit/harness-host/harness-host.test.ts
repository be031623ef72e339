/** The host's protocol, with the turns that the real SDK was recorded with. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { QuestionAnswer, TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";
import { findSdk } from "../../../src/harness-host/find-sdk.ts";
import { listProcesses } from "../../../src/process/process-group.ts";
import { type HarnessUnderTest, openHarness } from "../../support/agent-sdk/harness-client.ts";
import { installScriptedSdk, SCRIPTED_VERSION } from "../../support/agent-sdk/install-scripted-sdk.ts";
import { type RecordedTurn, readRecording } from "../../support/agent-sdk/recording.ts";

let host: HarnessUnderTest;
beforeAll(async () => {
  const sdkDir = mkdtempSync(join(tmpdir(), "tally-scripted-sdk-"));
  installScriptedSdk(sdkDir);
  const sdk = findSdk(["/nowhere", sdkDir]);
  if (sdk === undefined) throw new Error("The scripted SDK was not found.");
  const network = { NODE_EXTRA_CA_CERTS: "/etc/company.pem" };
  host = await openHarness({ sdk, credential: { type: "oauth_token", secret: "secret-token" }, network });
});
afterAll(() => host.close());

const TOOLS = [
  { name: "list-stocks", kind: "read", description: "Lists.", inputSchema: {} },
  { name: "add-stock", kind: "edit", description: "Adds.", inputSchema: {} },
];

const kinds = (lines: readonly TurnLine[]): string[] =>
  lines.map((line) => (line.type === "message" ? `message ${line.message.type}` : line.type));

/** What the host passes on of a turn: once a person is asked the turn ends with its result, and the SDK may have said more behind it. */
const passedOn = ({ lines, answers }: RecordedTurn): string[] => {
  const isAsked = Object.values(answers).some(({ type }) => type === "ask");
  const result = lines.findIndex((line) => line.type === "message" && line.message.type === "result");
  return kinds(isAsked ? lines.filter((line, index) => index <= result || line.type === "ended") : lines);
};

/** Plays all turns of a recording with the answers that were given then. */
const replay = async (name: string): Promise<TurnLine[][]> => {
  const sessionId = crypto.randomUUID();
  const played: TurnLine[][] = [];
  for (const [index, { begin, lines, answers }] of readRecording(name).turns.entries()) {
    const given = new Map<string, QuestionAnswer | undefined>(
      lines.flatMap((line) => ("questionId" in line ? [[line.toolUseId, answers[line.questionId]]] : [])),
    );
    const sent = index === 0 ? { type: "new", prompt: `[replay:${name}]` } : begin;
    const turn = { turnId: `${sessionId}:${index}`, sessionId, begin: sent, tools: TOOLS };
    played.push(await host.turn(turn, ({ toolUseId }) => given.get(toolUseId)));
  }
  return played;
};

it.each([
  "two-turns",
  "read-edits-stock",
  "commands",
  "stock-asked",
  "killed-in-command",
  "plan-limit",
  "not-logged-in",
])("passes on messages and questions in their order: %s", async (name) => {
  writeFileSync(join(host.dir, "notes.txt"), "one\n");
  const played = await replay(name);
  expect(played.map(kinds)).toEqual(readRecording(name).turns.map(passedOn));
});

it("shows an edit as its diff, with the states before and after", async () => {
  writeFileSync(join(host.dir, "notes.txt"), "one\n");
  const [first] = await replay("read-edits-stock");
  expect(first?.find((line) => line.type === "permission")).toMatchObject({
    toolUseId: "toolu_edit",
    subject: {
      type: "edit",
      path: "notes.txt",
      diff: "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n",
      stateBefore: expect.stringMatching(/^sha256:/),
      stateAfter: expect.stringMatching(/^sha256:/),
    },
  });
});

/** The records of the turns that are running, as names of files. */
const records = (): string[] => readdirSync(join(host.stateDir, "harness/turns"));

const isRunning = (pid: number): boolean => listProcesses().some((one) => one.pid === pid);

/** A turn that never ends by itself, once it runs. */
const hang = async (sessionId = crypto.randomUUID(), signal?: AbortSignal) => {
  const hanging = Promise.withResolvers<number>();
  const turnId = crypto.randomUUID();
  const turn = { turnId, sessionId, begin: { type: "new", prompt: "[hang]" }, tools: [] };
  const onLine = (line: TurnLine): void => {
    if (line.type === "message") hanging.resolve(Number(line.message.pid));
  };
  const lines = host.turn(turn, undefined, onLine, signal);
  return { turnId, lines, pid: await hanging.promise };
};

it("ends a stopped turn with all its processes, also those outside its group", async () => {
  const { turnId, lines, pid } = await hang();
  expect(isRunning(pid)).toBe(true);
  expect((await host.call("stop", { turnId })).status).toBe(200);
  expect(isRunning(pid)).toBe(false);
  expect((await lines).at(-1)).toEqual({ type: "ended", end: "stopped", message: "" });
  expect(records()).toEqual([]);
});

it("ends a turn when a newer one of its session begins", async () => {
  const sessionId = crypto.randomUUID();
  const older = await hang(sessionId);
  const newer = await hang(sessionId);
  expect((await older.lines).at(-1)).toMatchObject({ type: "ended", end: "stopped" });
  expect(isRunning(older.pid)).toBe(false);
  await host.call("stop", { turnId: newer.turnId });
  await newer.lines;
});

it("does not run a turn that was stopped before it came", async () => {
  const turnId = crypto.randomUUID();
  await host.call("stop", { turnId });
  const turn = { turnId, sessionId: crypto.randomUUID(), begin: { type: "new", prompt: "[hang]" }, tools: [] };
  expect(kinds(await host.turn(turn)).at(-1)).toBe("ended");
});

it("stops a turn whose caller has left", async () => {
  const left = new AbortController();
  const { lines, pid } = await hang(crypto.randomUUID(), left.signal);
  lines.catch(() => undefined);
  left.abort();
  // The last of its end; the next turn has a record as well.
  await expect.poll(records).toEqual([]);
  expect(isRunning(pid)).toBe(false);
});

it("refuses an answer to a question that is not open", async () => {
  const answer = { turnId: "none", questionId: "none", answer: { type: "ask" } };
  const response = await host.call("result", answer);
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({
    error: { code: "not_found", message: "The question is not open any more." },
  });
});

it("keeps a session in pieces: read, deleted, put back, resumed", async () => {
  const sessionId = crypto.randomUUID();
  const first = {
    turnId: `${sessionId}:0`,
    sessionId,
    begin: { type: "new", prompt: "[replay:two-turns]" },
    tools: [],
  };
  await host.turn(first);
  const piece = await host.call("read-session", { sessionId, offset: 0 });
  const bytes = await piece.text();
  expect(piece.headers.get("x-session-size")).toBe(String(bytes.length));
  await host.call("delete-sessions", { sessionIds: [sessionId] });
  expect(await (await host.call("read-session", { sessionId, offset: 0 })).text()).toBe("");
  const next = { turnId: `${sessionId}:1`, sessionId, begin: { type: "message", prompt: "Go on." }, tools: [] };
  const lost = await host.turn(next);
  const errors = [expect.stringContaining("No conversation found")];
  expect(lost.at(-2)).toMatchObject({ message: { type: "result", subtype: "error_during_execution", errors } });
  expect((await host.restore(sessionId, 0, bytes)).status).toBe(200);
  expect((await host.restore(sessionId, 1, bytes)).status).toBe(422);
  expect((await host.turn({ ...next, turnId: `${sessionId}:2` })).at(-1)).toMatchObject({ end: "result" });
});

it("says what is served, and refuses another protocol with the remedy", async () => {
  expect(await (await host.call("hello", {})).json()).toEqual({ harness: "agent-sdk", sdkVersion: SCRIPTED_VERSION });
  const other = await host.call("hello", {}, { "tally-protocol": "1" });
  expect(other.status).toBe(426);
  expect(await other.text()).toContain("Update the older one (git pull && npm ci), then start it again.");
});

it("has the credential in no file, and in the environment of no process of a turn", async () => {
  const { turnId, lines, pid } = await hang();
  const [record = ""] = records();
  const recordText = readFileSync(join(host.stateDir, "harness/turns", record), "utf8");
  const leader = Number.parseInt(recordText, 10);
  const environments = [leader, pid].map((one) => readFileSync(`/proc/${one}/environ`, "utf8"));
  const files = readdirSync(host.stateDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  expect(environments[1]).toContain("TALLY_TURN=");
  expect(texts).toContain(recordText);
  expect([...environments, ...texts].filter((text) => text.includes("secret-token"))).toEqual([]);
  await host.call("stop", { turnId });
  await lines;
});

it("has the start's own certificates in the environment of the SDK", async () => {
  const { turnId, lines, pid } = await hang();
  expect(readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")).toContain("NODE_EXTRA_CA_CERTS=/etc/company.pem");
  await host.call("stop", { turnId });
  await lines;
});
