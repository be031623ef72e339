/** The tool that moves the screen: places only, checked and passed on. */
import { describe, expect, it } from "vitest";
import { navigateTool } from "../../../src/harness/tools/navigate.ts";
import type { PreparedCall } from "../../../src/harness/tools/tool.ts";

const ctx = { callKey: "run:r1:1-0", signal: new AbortController().signal, output: () => undefined };

const prepare = (input: Record<string, unknown>): PreparedCall => {
  const prepared = navigateTool.prepare(input);
  if ("problem" in prepared) throw new Error(prepared.problem);
  return prepared;
};

describe("navigate", () => {
  it("runs unasked, since it changes no data", () => {
    expect(navigateTool.kind).toBe("read");
  });

  it("gives the place back for the app to go to", async () => {
    const place = { view: "stocks", q: "apple", tab: "watchlist", dialog: "add" };
    expect(await prepare(place).run(ctx)).toEqual({ output: JSON.stringify(place), isError: false });
  });

  it.each([
    ["no view", {}],
    ["a view that is not there", { view: "settings" }],
    ["a path in place of a view", { view: "/stocks?x=1" }],
    ["a stock by its symbol", { view: "stocks", stockId: "AAPL" }],
    ["a field that nobody knows", { view: "chat", path: "https://evil.test" }],
  ])("tells the model what is wrong with %s", (_, input) => {
    expect(navigateTool.prepare(input)).toEqual({ problem: expect.any(String) });
  });
});
