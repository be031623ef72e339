/** A turn as it is saved: valid, wherever it was cut (run.md, The conversation). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairTurn } from "../../../src/harness/anthropic/keep-turn.ts";
import type { ContentBlock, Message } from "../../../src/model/messages.ts";
import { conversationProblem, cutTurn } from "../../support/conversation-arbitrary.ts";

const user = (...content: ContentBlock[]): Message => ({ role: "user", content });
const model = (...content: ContentBlock[]): Message => ({ role: "assistant", content });
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const use = (id: string): ContentBlock => ({ type: "tool_use", id, name: "read_file", input: {} });
const result = (id: string): ContentBlock => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const thinking: ContentBlock = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const hidden: ContentBlock = { type: "redacted_thinking", data: "b3BhcXVl" };
const noResult = (id: string): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: "Not run: the turn ended before this call.",
  is_error: true,
});

const prompt = user(text("Hi"));

const idOf = (block: ContentBlock, type: "tool_use" | "tool_result"): string[] => {
  if (block.type === "tool_use" && type === "tool_use") return [block.id];
  return block.type === "tool_result" && type === "tool_result" ? [block.tool_use_id] : [];
};

const said = (messages: readonly Message[]): string[] =>
  messages
    .flatMap(({ content }) => content.flatMap((block) => (block.type === "text" ? [block.text] : [])))
    .filter((words) => words.trim() !== "");

describe("a turn that was cut anywhere", () => {
  it("is one that the API accepts, also with the next prompt after it", () => {
    fc.assert(
      fc.property(cutTurn("a"), (messages) => {
        const repaired = repairTurn(messages);
        expect(conversationProblem(repaired)).toBeUndefined();
        expect(conversationProblem([...repaired, prompt])).toBeUndefined();
      }),
    );
  });

  it("answers every call in the next message, in the order of the calls, and nothing else", () => {
    fc.assert(
      fc.property(cutTurn("a"), (messages) => {
        const repaired = repairTurn(messages);
        const calls = repaired.map((message) => message.content.flatMap((block) => idOf(block, "tool_use")));
        const answers = repaired.map((message) => message.content.flatMap((block) => idOf(block, "tool_result")));
        expect([...answers.slice(1), []]).toEqual(calls);
      }),
    );
  });

  it("stays as it is when it is repaired again", () => {
    fc.assert(
      fc.property(cutTurn("a"), (messages) => {
        const repaired = repairTurn(messages);
        expect(repairTurn(repaired)).toEqual(repaired);
      }),
    );
  });

  it("loses nothing that was said", () => {
    fc.assert(
      fc.property(cutTurn("a"), (messages) => {
        expect(said(repairTurn(messages))).toEqual(said(messages));
      }),
    );
  });
});

describe("a turn", () => {
  it.each<[string, Message[]]>([
    ["of a prompt alone", [prompt]],
    ["of one answer", [prompt, model(text("Hello"))]],
    [
      "with calls and results",
      [prompt, model(thinking, use("a"), use("b")), user(result("a"), result("b")), model(text("Done"))],
    ],
    ["that the model paused", [prompt, model(text("So far")), model(text("and on"))]],
  ])("%s that is valid stays as it is", (_, messages) => {
    expect(repairTurn(messages)).toEqual(messages);
  });

  it("that ended before its calls says so in their place", () => {
    expect(repairTurn([prompt, model(text("I look."), use("a"), use("b"))])).toEqual([
      prompt,
      model(text("I look."), use("a"), use("b")),
      user(noResult("a"), noResult("b")),
    ]);
  });

  it("whose results are short of one gets that one, in its place", () => {
    expect(repairTurn([prompt, model(use("a"), use("b")), user(result("b"))])).toEqual([
      prompt,
      model(use("a"), use("b")),
      user(noResult("a"), result("b")),
    ]);
  });

  it("loses results of calls that were never kept", () => {
    expect(repairTurn([prompt, model(text("I look.")), user(result("a"))])).toEqual([prompt, model(text("I look."))]);
  });

  it("loses blank texts and empty messages", () => {
    expect(repairTurn([prompt, model(text(" ")), model(), model(text("Yes"), text("\n"))])).toEqual([
      prompt,
      model(text("Yes")),
    ]);
  });

  it.each<[string, Message[], Message[]]>([
    ["alone", [model(thinking)], []],
    ["behind its last words", [model(text("Yes"), thinking, hidden)], [model(text("Yes"))]],
    ["alone behind a message that the model paused", [model(text("Yes")), model(thinking)], [model(text("Yes"))]],
    [
      "alone behind results",
      [model(use("a")), user(result("a")), model(thinking)],
      [model(use("a")), user(result("a"))],
    ],
    ["in two messages", [model(text("Yes"), thinking), model(hidden)], [model(text("Yes"))]],
  ])("loses thinking at its end: %s", (_, messages, repaired) => {
    expect(repairTurn([prompt, ...messages])).toEqual([prompt, ...repaired]);
  });

  it.each<[string, Message[]]>([
    ["alone in a message that the model paused", [model(thinking), model(text("Yes"))]],
    ["between its words", [model(text("So"), thinking, text("yes"))]],
    ["before a call", [model(thinking, use("a")), user(result("a")), model(hidden, text("Yes"))]],
    ["whose text is empty", [model({ ...thinking, thinking: "" }, text("Yes"))]],
  ])("keeps thinking that it goes on behind: %s", (_, messages) => {
    expect(repairTurn([prompt, ...messages])).toEqual([prompt, ...messages]);
  });

  it("keeps blocks of a kind that nobody knows, also at its end", () => {
    const opaque: ContentBlock = { type: "opaque", block: { type: "server_note" } };
    expect(repairTurn([prompt, model(thinking, opaque)])).toEqual([prompt, model(thinking, opaque)]);
  });

  it("keeps what comes before its prompt", () => {
    const opened = user(text("<context>"), text("Hi"));
    expect(repairTurn([opened, model(text("Yes"))])).toEqual([opened, model(text("Yes"))]);
  });

  it("keeps our notes after the results of their step, with nothing after them", () => {
    const note = text("A note.");
    expect(repairTurn([prompt, model(use("a"), use("b")), user(result("b"), note), model(text("Yes"))])).toEqual([
      prompt,
      model(use("a"), use("b")),
      user(noResult("a"), result("b"), note),
      model(text("Yes")),
    ]);
  });

  it("gives results only to its own calls, whatever the next prompt says", () => {
    expect(repairTurn([prompt, model(use("a")), user(text("And now?"))])).toEqual([
      prompt,
      model(use("a")),
      user(noResult("a")),
      user(text("And now?")),
    ]);
  });
});
