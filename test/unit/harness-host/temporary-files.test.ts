/** Outputs of the SDK's commands are files while they run. They are in the state directory, and go with their turn. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startWorkspaceProcess } from "../../../src/cli/dev/workspace-process.ts";
import type { TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";
import { type HarnessUnderTest, openHarnessWith } from "../../support/agent-sdk/harness-client.ts";
import { startWorkspaceProgram } from "../../support/workspace-program.ts";

/** Leaves an output where the SDK does, says where that is, and ends only where it is told to. */
const SDK = `import { mkdirSync, statSync, writeFileSync } from "node:fs";
export async function* query({ prompt, options }) {
  const dir = options.env.CLAUDE_CODE_TMPDIR ?? "/nowhere";
  const mode = (statSync(dir).mode & 0o777).toString(8);
  mkdirSync(dir + "/claude-0");
  writeFileSync(dir + "/claude-0/output", "secret");
  yield { type: "system", dir, mode };
  if (prompt === "hang") await new Promise(() => undefined);
  yield { type: "result" };
}`;

/** Leaves what Go's cache of modules is: files in a directory that is closed to writes. */
const READ_ONLY_SDK = `import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
export async function* query({ options }) {
  const dir = options.env.CLAUDE_CODE_TMPDIR + "/module";
  mkdirSync(dir);
  writeFileSync(dir + "/go.mod", "");
  chmodSync(dir, 0o555);
  yield { type: "result" };
}`;

let host: HarnessUnderTest;
beforeAll(async () => {
  host = await openHarnessWith(SDK);
});
afterAll(() => host.close());

const Place = z.object({ type: z.literal("message"), message: z.object({ dir: z.string(), mode: z.string() }) });

it.each(["end", "hang"])(
  "a turn's temporary files are its owner's alone, and gone after its end: %s",
  async (prompt) => {
    const turn = {
      turnId: crypto.randomUUID(),
      sessionId: crypto.randomUUID(),
      begin: { type: "new", prompt },
      tools: [],
    };
    const places: z.infer<typeof Place>["message"][] = [];
    const lines = await host.turn(turn, undefined, (line: TurnLine) => {
      const place = Place.safeParse(line).data?.message;
      if (place === undefined) return;
      places.push(place);
      if (prompt === "hang") void host.call("delete-sessions", { sessionIds: [turn.sessionId] });
    });
    expect(lines.at(-1)).toMatchObject({ type: "ended", end: prompt === "hang" ? "stopped" : "result" });
    expect(places).toMatchObject([{ mode: "700" }]);
    expect(places[0]?.dir.startsWith(join(host.stateDir, "harness"))).toBe(true);
    expect(existsSync(places[0]?.dir ?? "")).toBe(false);
  },
);

/** A workspace and a state directory, with `path` below the latter. */
const makePlace = (path: string) => {
  const parent = mkdtempSync(join(tmpdir(), "tally-left-output-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const [dir, stateDir] = [join(parent, "root"), join(parent, "state")];
  const left = join(stateDir, path);
  for (const one of [dir, left]) mkdirSync(one, { recursive: true });
  return { parent, dir, stateDir, left };
};

it("what a killed start has left of them is gone with the next start, with or without a harness", async () => {
  const { dir, stateDir, left } = makePlace("harness/tmp/mark");
  const { close } = await startWorkspaceProcess(dir, stateDir);
  await close();
  expect(existsSync(left)).toBe(false);
});

describe("where not even their owner may write", () => {
  it("what a start has left is gone with the next one", async () => {
    const { dir, stateDir, left } = makePlace("harness/tmp/mark/module");
    writeFileSync(join(left, "go.mod"), "");
    chmodSync(left, 0o555);
    const { stop } = await startWorkspaceProgram(dir, stateDir);
    await stop();
    expect(existsSync(join(stateDir, "harness/tmp"))).toBe(false);
  });

  it("what stays all the same is named, and keeps nobody from starting", async () => {
    const { dir, stateDir } = makePlace("harness/tmp/mark");
    chmodSync(join(stateDir, "harness"), 0o555);
    const { errors, stop } = await startWorkspaceProgram(dir, stateDir);
    await stop();
    chmodSync(join(stateDir, "harness"), 0o755);
    expect(errors()).toContain(`${join(stateDir, "harness/tmp")} cannot be removed: `);
  });

  it("a turn's files are gone behind its last line, and its answer is whole", async () => {
    const { parent, dir, stateDir } = makePlace("harness");
    const entry = join(parent, "sdk.mjs");
    writeFileSync(entry, READ_ONLY_SDK);
    const sdk = { sdk: { version: "0.0.1", entry }, credential: { type: "api_key", secret: "none" } } as const;
    const { runTurn, stop } = await startWorkspaceProgram(dir, stateDir, sdk);
    onTestFinished(stop);
    expect(await runTurn("Hi")).toEqual({ type: "ended", end: "result", message: "" });
    expect(readdirSync(join(stateDir, "harness/tmp"))).toEqual([]);
  });
});
