import { describe, expect, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";

const text = (words: string) => ({ type: "text", text: words });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const tool = { name: "read_file", input_schema: { type: "object", properties: { path: {} } } };
const cached = { cache_control: { type: "ephemeral" } };

const first = { model: "m", system: [text("Be brief.")], tools: [tool], messages: [user(text("Hi"))] };
const second = { ...first, messages: [user(text("Hi")), assistant(text("Hello")), user(text("And?"))] };

describe("a later request begins with the earlier one", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["where messages are added", first, second],
    ["where it is the same", second, second],
    ["where a block is added to the last message", first, { ...first, messages: [user(text("Hi"), text("More"))] }],
    [
      "where breakpoints have moved",
      { ...first, messages: [user({ ...text("Hi"), ...cached })] },
      { ...second, system: [{ ...text("Be brief."), ...cached }] },
    ],
    ["where other parameters have changed", first, { ...second, model: "n", max_tokens: 1, thinking: {} }],
    ["where neither has a system prompt", { messages: [] }, { messages: [user("Hi")] }],
  ])("%s", (_name, earlier, later) => {
    expect(whereItDiffers(earlier, later)).toBeUndefined();
  });
});

describe("a later request differs", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["by its system prompt", { ...second, system: [text("Be long.")] }, "system.0"],
    ["by more of a system prompt", { ...second, system: [text("Be brief."), text("Now.")] }, "system.1"],
    ["by a tool", { ...second, tools: [{ ...tool, name: "write_file" }] }, "tools.0"],
    [
      "by the order of a tool's fields",
      { ...second, tools: [{ input_schema: tool.input_schema, name: "read_file" }] },
      "tools.0",
    ],
    ["by a tool more", { ...second, tools: [tool, { ...tool, name: "b" }] }, "tools.1"],
    ["by a tool less", { ...second, tools: [] }, "tools.0"],
    ["by a message", { ...second, messages: [user(text("Ho"))] }, "messages.0.content.0"],
    ["by who said it", { ...second, messages: [assistant(text("Hi"))] }, "messages.0.content.0"],
    ["by a message that is gone", { ...second, messages: [] }, "messages.0.content.0"],
  ])("%s", (_name, later, path) => {
    expect(whereItDiffers(first, later)?.path).toBe(path);
  });

  it("and says what was there, and what is", () => {
    const changed = { ...second, messages: [user(text("Hi")), assistant(text("Hallo"))] };
    expect(whereItDiffers(second, changed)).toEqual({
      path: "messages.1.content.0",
      before: '"assistant" {"type":"text","text":"Hello"}',
      after: '"assistant" {"type":"text","text":"Hallo"}',
    });
    expect(whereItDiffers(second, first)?.after).toBeUndefined();
  });
});
