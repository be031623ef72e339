/** Texts pass between the host and the process of a turn as JSON, a line each. U+2028 and U+2029 end lines for some readers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HarnessUnderTest, openHarnessWith } from "../../support/agent-sdk/harness-client.ts";

/** Asks for a command that is its prompt, and repeats the prompt and the answer. */
const SDK = `export async function* query({ prompt, options }) {
  const call = { tool_name: "Bash", tool_input: { command: prompt }, tool_use_id: "toolu_1", cwd: options.cwd };
  const decision = await options.hooks.PreToolUse[0].hooks[0](call);
  yield { type: "result", prompt, reason: decision.hookSpecificOutput.permissionDecisionReason };
}`;

let host: HarnessUnderTest;
beforeAll(async () => {
  host = await openHarnessWith(SDK);
});
afterAll(() => host.close());

it.each(["\u2028", "\u2029", "\r\n"])(
  "a prompt, a question and its answer arrive whole with %j in them",
  async (end) => {
    const prompt = `echo one${end}two`;
    const turn = {
      turnId: crypto.randomUUID(),
      sessionId: crypto.randomUUID(),
      begin: { type: "new", prompt },
      tools: [],
    };
    const lines = await host.turn(turn, () => ({ type: "deny", message: `Not${end}this.` }));
    expect(lines.map((line) => (line.type === "message" ? line.message : line))).toMatchObject([
      { type: "started" },
      { type: "permission", subject: { command: prompt } },
      { type: "result", prompt, reason: `Not${end}this.` },
      { type: "ended", end: "result" },
    ]);
  },
);
