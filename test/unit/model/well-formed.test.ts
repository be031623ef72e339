/** Halves of surrogate pairs in a stored conversation: healed when a request is built, and nothing else is touched. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormed } from "../../../src/model/anthropic/anthropic-request.ts";
import type { ContentBlock, Message } from "../../../src/model/messages.ts";

/** Any text, of whole characters and halves of them, with the signs that JSON escapes. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd7ff, max: 0xe000 }), fc.constantFrom(34, 92, 117, 100)), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));

const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, anyText, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("fields")),
  list: fc.array(tie("value"), { maxLength: 3 }),
  fields: fc.dictionary(anyText, tie("value"), { maxKeys: 3, noNullPrototype: true }),
})).fields;

const Fields = json.map((fields) => Object(fields));

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  anyText.map((text): ContentBlock => ({ type: "text", text })),
  fc.tuple(anyText, anyText).map(([thinking, signature]): ContentBlock => ({ type: "thinking", thinking, signature })),
  Fields.map((input): ContentBlock => ({ type: "tool_use", id: "t", name: "read_file", input })),
  anyText.map((content): ContentBlock => ({ type: "tool_result", tool_use_id: "t", content, is_error: true })),
  Fields.map((fields): ContentBlock => ({ type: "opaque", block: { ...fields, type: "server_note" } })),
);

const messages: fc.Arbitrary<Message[]> = fc.array(
  fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    content: fc.array(block, { maxLength: 3 }),
  }),
  { maxLength: 3 },
);

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...textsIn(part)]);
};

const isWellFormed = (value: unknown): boolean => textsIn(value).every((text) => text.isWellFormed());

/** Every text made well formed by the language itself. */
const mended = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), mended(part)]));
};

const user = (text: string): Message[] => [{ role: "user", content: [{ type: "text", text }] }];

it("names of fields are corrected too, even after a longer one with the same beginning", () => {
  const input = { "\ud800u": {}, "\ud800": null };
  const given: Message[] = [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "read_file", input }] }];
  const content = [{ type: "tool_use", id: "t", name: "read_file", input: { "\ufffdu": {}, "\ufffd": null } }];
  expect(wellFormed(given)).toEqual([{ role: "assistant", content }]);
});

describe("any messages", () => {
  it("come out well formed, and as the language itself would correct them", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const healed = wellFormed(given);
        expect(isWellFormed(healed)).toBe(true);
        expect(healed).toEqual(mended(given));
      }),
    );
  });

  it("that are well formed are the same object", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const healed = wellFormed(given);
        expect(wellFormed(healed)).toBe(healed);
        expect(healed === given).toBe(isWellFormed(given));
      }),
    );
  });

  it("are left as they were in the store", () => {
    const half = user("a\ud83d");
    wellFormed(half);
    expect(half).toEqual(user("a\ud83d"));
  });
});

describe("a half", () => {
  it.each([
    ["a first half", "a\ud83d", "a\ufffd"],
    ["a second half", "\ude00b", "\ufffdb"],
    ["halves in the wrong order", "\ude00\ud83d", "\ufffd\ufffd"],
    ["a half beside a whole character", "\ud83d\ud83d\ude00", "\ufffd\ud83d\ude00"],
    ["a half behind a backslash", "\\\ud83d", "\\\ufffd"],
    ["a half behind what only looks like one", "\\ud83d\ud83d", "\\ud83d\ufffd"],
  ])("%s becomes U+FFFD", (_, text, healed) => {
    expect(wellFormed(user(text))).toEqual(user(healed));
  });

  it("in the name of an input's field is healed as well", () => {
    const call = (key: string): Message[] => [
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "a", input: { [key]: 1 } }] },
    ];
    expect(wellFormed(call("\ud83d"))).toEqual(call("\ufffd"));
  });
});
