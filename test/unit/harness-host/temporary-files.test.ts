/** Outputs of the SDK's commands are files while they run. They are in the state directory, and go with their turn. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startWorkspaceProcess } from "../../../src/cli/dev/workspace-process.ts";
import type { TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";
import { type HarnessUnderTest, openHarnessWith } from "../../support/agent-sdk/harness-client.ts";

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

it("what a killed start has left of them is gone with the next start, with or without a harness", async () => {
  const parent = mkdtempSync(join(tmpdir(), "tally-left-output-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const left = join(parent, "state/harness/tmp/mark");
  for (const dir of [left, join(parent, "root")]) mkdirSync(dir, { recursive: true });
  const { close } = await startWorkspaceProcess(join(parent, "root"), join(parent, "state"));
  await close();
  expect(existsSync(left)).toBe(false);
});
