/** A block of a kind that nobody knows while it streams: by what rules it grows, so that it goes back as it came. */
import { describe, expect, it } from "vitest";
import { GrowingOpaqueBlock } from "../../../src/model/opaque-block.ts";

type Block = { type: string; [field: string]: unknown };

const grown = (start: Block, ...deltas: Block[]): Block => {
  const growing = new GrowingOpaqueBlock(start);
  for (const delta of deltas) growing.add(delta);
  return growing.block.block;
};

describe("a block that nobody knows", () => {
  it.each<[string, Block, Block[], Block]>([
    [
      "is what it began as",
      { type: "a", deep: { list: [1] }, none: null },
      [],
      { type: "a", deep: { list: [1] }, none: null },
    ],
    [
      "grows by texts",
      { type: "a", text: "1" },
      [
        { type: "d", text: "2" },
        { type: "d", text: "3" },
      ],
      { type: "a", text: "123" },
    ],
    [
      "has what is set later",
      { type: "a" },
      [
        { type: "d", data: [1] },
        { type: "d", data: [2] },
      ],
      { type: "a", data: [2] },
    ],
    [
      "has a text where there was null",
      { type: "a", text: null },
      [
        { type: "d", text: "2" },
        { type: "d", text: "3" },
      ],
      { type: "a", text: "23" },
    ],
    ["keeps its own kind", { type: "a" }, [{ type: "text_delta", text: "2" }], { type: "a", text: "2" }],
    [
      "has its input once that is whole",
      { type: "a", input: {} },
      ['{"q":', '"x"}'].map((partial_json) => ({ type: "input_json_delta", partial_json })),
      { type: "a", input: { q: "x" } },
    ],
    ["keeps the input it began with", { type: "a", input: { q: 1 } }, [], { type: "a", input: { q: 1 } }],
    [
      "takes an empty piece of input for none",
      { type: "a", input: {} },
      [{ type: "input_json_delta" }],
      { type: "a", input: {} },
    ],
  ])("%s", (_, start, deltas, block) => {
    expect(grown(start, ...deltas)).toEqual(block);
  });

  it("whose input is not JSON is not kept", () => {
    expect(() => grown({ type: "a" }, { type: "input_json_delta", partial_json: "{" })).toThrow(SyntaxError);
  });

  it("does not change what it was made of", () => {
    const start = { type: "a", text: "1" };
    const delta = { type: "d", text: "2" };
    grown(start, delta);
    expect([start, delta]).toEqual([
      { type: "a", text: "1" },
      { type: "d", text: "2" },
    ]);
  });
});
