/** Directories whose path the SDK does not take as it is: it shortens a long one, and composes the letters of any. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findSdk } from "../../../src/harness-host/find-sdk.ts";
import { openHarness } from "../../support/agent-sdk/harness-client.ts";
import { installScriptedSdk } from "../../support/agent-sdk/install-scripted-sdk.ts";

const LONG = join("a".repeat(110), "b".repeat(110));

/** A host of the directory `root` in a new one of this name, and one session of it. */
const sessionIn = async (name: string) => {
  const above = mkdtempSync(join(tmpdir(), "tally-paths-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  installScriptedSdk(above);
  const sdk = findSdk([above]);
  if (sdk === undefined) throw new Error("The scripted SDK was not found.");
  const parent = join(above, name);
  mkdirSync(parent, { recursive: true });
  const host = await openHarness({ sdk, credential: { type: "api_key", secret: "none" } }, { parent });
  onTestFinished(host.close);
  const sessionId = crypto.randomUUID();
  return {
    projects: join(host.stateDir, "harness/home/.claude/projects"),
    /** The last line of a turn. */
    turn: async (begin: object) =>
      (await host.turn({ turnId: crypto.randomUUID(), sessionId, begin, tools: [] })).at(-1),
    read: async () => (await host.call("read-session", { sessionId, offset: 0 })).text(),
    remove: () => host.call("delete-sessions", { sessionIds: [sessionId] }),
    restore: (text: string) => host.restore(sessionId, 0, text),
  };
};

const NEW = { type: "new", prompt: "[replay:two-turns]" };

it.each([
  ["longer than 200 characters", LONG],
  ["decomposed", "Bu\u0308cher"],
])("reads a session, deletes it, puts it back and goes on with it where the path is %s", async (_, name) => {
  const session = await sessionIn(name);
  expect(await session.turn(NEW)).toMatchObject({ end: "result" });
  const text = await session.read();
  expect(text).toContain(NEW.prompt);
  await session.remove();
  expect(await session.read()).toBe("");
  expect((await session.restore(text)).status).toBe(200);
  expect(await session.turn({ type: "message", prompt: "Go on." })).toMatchObject({ end: "result" });
});

it("finds a session among directories whose long names begin alike", async () => {
  const session = await sessionIn(LONG);
  await session.turn(NEW);
  const [made = ""] = readdirSync(session.projects);
  for (const end of ["0", "z"]) mkdirSync(join(session.projects, made.slice(0, 201) + end));
  expect(await session.read()).toContain(NEW.prompt);
});

it("does not put a session back where it is not known how the SDK shortens the path", async () => {
  const session = await sessionIn(LONG);
  const refused = await session.restore("what was said");
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("Send a message in a new chat");
});
