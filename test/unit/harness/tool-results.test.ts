/** The results of one model message: one for each call, 256 KB together (run.md, The conversation). */
import { describe, expect, it } from "vitest";
import { toolResultMessage } from "../../../src/harness/anthropic/tool-results.ts";
import { cutOutput, MAX_OUTPUT_BYTES } from "../../../src/harness/model-text.ts";
import type { CallState, ToolCall } from "../../../src/harness/turn.ts";
import { callOf, readTool } from "../../support/loop-world.ts";

/** run.md: tool results of one message together. */
const MAX_RESULT_BYTES = 256 * 1_024;

const CUT_MARK = "[cut: the rest is left out. Read less at once: a smaller limit, or one call at a time]";

const tool = readTool("read_file");

const callWith = (state: CallState, index = 0): ToolCall =>
  callOf(tool, state, { toolCallId: `1-${index}`, toolUseId: `toolu_${index}` });

const ended = (output: string, index = 0): ToolCall =>
  callWith({ type: "ended", result: { status: "completed", output } }, index);

/** What the model reads of each call. */
const outputsOf = (calls: readonly ToolCall[]): string[] =>
  toolResultMessage(calls).content.map((block) => (block.type === "tool_result" ? block.content : ""));

const bytesOf = (texts: readonly string[]): number => new TextEncoder().encode(texts.join("")).byteLength;

describe("the answer to a message's calls", () => {
  it("is one user message with a result for each, in the model's order, under the provider's ids", () => {
    expect(toolResultMessage([ended("first", 0), ended("second", 1)])).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_0", content: "first" },
        { type: "tool_result", tool_use_id: "toolu_1", content: "second" },
      ],
    });
  });

  it("marks what a person wrote, in a refusal or as an answer", () => {
    const refusal = callWith({ type: "ended", result: { status: "denied", output: "Rejected. They said: no." } });
    const answer = { ...ended("Which?\nAnswer: this one.", 0), tool: "ask_user" };
    const expired = callWith({ type: "ended", result: { status: "denied", output: "Nobody answered in time." } });
    const misused = callWith({ type: "ended", result: { status: "failed", output: "questions: use 1 to 4." } });
    const calls = [refusal, answer, expired, { ...misused, tool: "ask_user" }, ended("Read.", 0)];
    const isSaid = calls.map((call) => toolResultMessage([call]).content[0]).map((block) => block && "isSaid" in block);
    expect(isSaid).toEqual([true, true, false, false, false]);
  });

  it.each(["failed", "denied", "aborted", "unknown"] as const)("marks a call that %s as an error", (status) => {
    const call = callWith({ type: "ended", result: { status, output: "No." } });
    expect(toolResultMessage([call]).content).toEqual([
      { type: "tool_result", tool_use_id: "toolu_0", content: "No.", is_error: true },
    ]);
  });

  it.each<CallState>([
    { type: "pending" },
    { type: "asking" },
    { type: "allowed" },
    { type: "rejected", reason: "No." },
    { type: "started" },
  ])("says of a call that is still $type that it has no result", (state) => {
    expect(toolResultMessage([callWith(state)]).content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_0",
        content: "This call has no result: the run ended first.",
        is_error: true,
      },
    ]);
  });
});

describe("long outputs", () => {
  const ten = Array.from({ length: 10 }, (_, index) => index);

  it("are at most 256 KB together", () => {
    expect(bytesOf(outputsOf(ten.map((index) => ended("a".repeat(100_000), index))))).toBeLessThanOrEqual(
      MAX_RESULT_BYTES,
    );
  });

  it("are at most 256 KB together in any script", () => {
    expect(bytesOf(outputsOf(ten.map((index) => ended("漢".repeat(100_000), index))))).toBeLessThanOrEqual(
      MAX_RESULT_BYTES,
    );
  });

  it("stay whole where they fit together, however unlike in length", () => {
    const outputs = ["a".repeat(200_000), "b", "c", "d"];
    expect(outputsOf(outputs.map(ended)).map(({ length }) => length)).toEqual([200_000, 1, 1, 1]);
  });

  it("leave the short ones whole", () => {
    const [long, short] = outputsOf([ended("a".repeat(400_000), 0), ended("short", 1)]);
    expect([long?.endsWith(CUT_MARK), short]).toEqual([true, "short"]);
  });
});

describe("a cut output", () => {
  it("says so, within its length", () => {
    const cut = cutOutput("a".repeat(1_000), 200);
    expect([cut.length, cut.endsWith(`a\n${CUT_MARK}`)]).toEqual([200, true]);
  });

  it.each([200, 201])("of %i units ends in a whole character", (maxLength) => {
    expect(cutOutput("😀".repeat(500), maxLength).isWellFormed()).toBe(true);
  });

  it("that is cut again has one mark", () => {
    const twice = cutOutput(cutOutput("a".repeat(1_000), 400), 200);
    expect(twice.match(/\[cut:/g)).toHaveLength(1);
  });

  it("is none at its full length", () => {
    expect(cutOutput("a".repeat(MAX_OUTPUT_BYTES), MAX_OUTPUT_BYTES)).toBe("a".repeat(MAX_OUTPUT_BYTES));
  });
});
