/** Thinking is signed by the server over all that precedes it, and refused where that has changed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MessagesApiServer, startMessagesApiServer } from "../../../support/messages-api-server.ts";
import { message, say, think, thinkRedacted, thought, toolUse } from "../../../support/model-script.ts";
import type { Reply } from "../../../support/model-server/reply.ts";
import { scriptModel } from "../../../support/scripted-model.ts";
import { type Saying, user, VendorTalk } from "../../../support/vendor-talk.ts";

// One of its own: these tests break rules on purpose.
let server: MessagesApiServer;
beforeAll(async () => {
  server = await startMessagesApiServer();
});
afterAll(() => server.close());

const BETA = "thinking-binding-controls-2026-08-01";
const RULES: Saying = {
  system: [{ type: "text", text: "Be brief." }],
  thinking: { type: "adaptive", display: "summarized" },
};
const DROPS: Saying = {
  betas: [BETA],
  thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
};
const ELSEWHERE = "Invalid `signature` in `thinking` block. The block is bound to a different conversation.";

const talk = async (replies: readonly Reply[], always: Saying = RULES) => {
  const script = await scriptModel(server.url, replies);
  return { script, conversation: new VendorTalk(server.url, script, always) };
};

/** Three turns, each with a thought, and a fourth reply that waits for what the test sends. */
const threeTurns = async (always: Saying = RULES) => {
  const thoughts = ["one", "two", "three"].map((word) => think(`Hm, ${word}.`, word));
  const world = await talk([...thoughts, say("four"), say("five")], always);
  await world.conversation.ask("1");
  await world.conversation.ask("2");
  await world.conversation.ask("3");
  return world;
};

/** Takes the thinking out of these turns' answers, counted from 0. */
const withoutThinking = (conversation: VendorTalk, ...turns: number[]): void => {
  conversation.messages = conversation.messages.map((one, at) =>
    turns.includes((at - 1) / 2) ? { ...one, content: one.content.slice(1) } : one,
  );
};

const TOOL = { name: "read_file", input_schema: { type: "object" as const } };

describe("thinking that comes back as it was", () => {
  it("is accepted in every later turn", async () => {
    const { script, conversation } = await threeTurns();
    const answer = await conversation.ask("4");
    expect(answer.content).toMatchObject([{ type: "text", text: "four" }]);
    expect(await script.violations()).toEqual([]);
  });

  it("may have its cache breakpoints moved, and other parameters changed", async () => {
    const { script, conversation } = await threeTurns();
    const marked = { type: "text", text: script.prompt("1"), cache_control: { type: "ephemeral" } };
    conversation.messages[0] = { role: "user", content: [marked] };
    await conversation.ask("4", { output_config: { effort: "low" }, max_tokens: 7 });
    expect(await script.violations()).toEqual([]);
  });

  it("may be left out from the start, or wholly", async () => {
    const { script, conversation } = await threeTurns();
    withoutThinking(conversation, 0);
    await conversation.ask("4");
    withoutThinking(conversation, 1, 2);
    await conversation.ask("5");
    expect(await script.violations()).toEqual([]);
  });

  it("is also accepted as one message that calls, is answered, and goes on", async () => {
    const steps = [
      message([thought("Look."), toolUse({ id: "toolu_1", name: "read_file", input: { path: "a" } })]),
      message([thought("Again."), { type: "text", text: "More." }, thought("Done."), { type: "text", text: "Yes." }]),
      say("Bye."),
    ];
    const { script, conversation } = await talk(steps, { ...RULES, tools: [TOOL] });
    await conversation.ask("Read");
    conversation.messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "words" }],
    });
    conversation.keep(await conversation.send());
    await conversation.ask("Thanks");
    expect(await script.violations()).toEqual([]);
  });
});

describe("thinking behind a change is refused", () => {
  it("of the system prompt, and the answer says so", async () => {
    const { script, conversation } = await threeTurns();
    const changed = conversation.ask("4", { system: [{ type: "text", text: "Be long." }] });
    await expect(changed).rejects.toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(await script.violations()).toEqual([
      `messages.1.content.0: ${ELSEWHERE} Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`${BETA}\` value in the \`anthropic-beta\` header. The \`system\` prompt differs from when the block was created.`,
    ]);
  });

  it("of the tools", async () => {
    const { conversation } = await threeTurns();
    await expect(conversation.ask("4", { tools: [TOOL] })).rejects.toThrow("The `tools` list differs");
  });

  it("of an earlier message, whose place it names", async () => {
    const { conversation } = await threeTurns();
    conversation.messages[2] = user("2, but other words");
    await expect(conversation.ask("4")).rejects.toThrow(
      /messages\.3\.content\.0: .* Content before this block differs from when it was created, first at `messages\.2\.content\.0`\./,
    );
  });

  it("by messages that are gone", async () => {
    const { conversation } = await threeTurns();
    conversation.messages.splice(0, 2);
    await expect(conversation.ask("4")).rejects.toThrow(`messages.1.content.0: ${ELSEWHERE}`);
  });

  it("after other thinking was left out of the middle", async () => {
    const { conversation } = await threeTurns();
    withoutThinking(conversation, 1);
    await expect(conversation.ask("4")).rejects.toThrow(`messages.5.content.0: ${ELSEWHERE}`);
  });

  it("after other thinking was put back that it was made without", async () => {
    const { conversation } = await talk([think("Hm.", "one"), think("Oh.", "two"), say("never sent")]);
    await conversation.ask("1");
    const [, whole] = conversation.messages;
    withoutThinking(conversation, 0);
    await conversation.ask("2");
    conversation.messages[1] = { role: "assistant", content: whole?.content ?? [] };
    await expect(conversation.ask("3")).rejects.toThrow(`messages.3.content.0: ${ELSEWHERE}`);
  });

  it("but not with the rule off, as for an older account; the beta then reports it", async () => {
    const { script, conversation } = await threeTurns();
    await script.withoutRules("prefix");
    const answer = await conversation.ask("4", { system: "Be long.", betas: [BETA] });
    expect(answer.input_transformations).toHaveLength(3);
    expect(answer.input_transformations?.[0]).toEqual({
      type: "thinking_mismatch_allowed",
      path: "messages.1.content.0",
      reason: "prefix_binding_mismatch",
    });
  });
});

describe("with drop_block", () => {
  it("what fails is dropped and reported, and what is thought from then on holds", async () => {
    const { script, conversation } = await talk([think("Hm.", "one"), think("Oh.", "two"), say("three")], DROPS);
    const first = await conversation.ask("1");
    const second = await conversation.ask("2", { system: "New rules." });
    const third = await conversation.ask("3", { system: "New rules." });
    const dropped = { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" };
    const all = [first, second, third].map((answer) => answer.input_transformations);
    expect(all).toEqual([[], [dropped], [dropped]]);
    expect(await script.transformations()).toEqual(all);
    expect(await script.violations()).toEqual([]);
  });

  it("needs its beta", async () => {
    const { conversation } = await talk([say("never sent")], DROPS);
    await expect(conversation.ask("1", { betas: [] })).rejects.toThrow("block_binding: Extra inputs are not permitted");
  });

  it("a forged signature is refused all the same", async () => {
    const { script, conversation } = await talk([think("Hm.", "one", "Zm9yZ2Vk"), say("two")], DROPS);
    await conversation.ask("1");
    await expect(conversation.ask("2")).rejects.toMatchObject({ status: 400 });
    expect(await script.violations()).toEqual(["messages.1.content.0: Invalid `signature` in `thinking` block"]);
    await script.withoutRules("signatures");
    await conversation.send();
  });
});

describe("a thinking block", () => {
  it("has its text only where it is asked for, and a signature always", async () => {
    const { conversation } = await talk([think("Hm.", "one"), think("Oh.", "two")], {});
    const hidden = await conversation.ask("1");
    const shown = await conversation.ask("2", { thinking: { type: "adaptive", display: "summarized" } });
    const signature = expect.stringMatching(/^[\w+/]{90,}=*$/);
    expect([hidden.content[0], shown.content[0]]).toEqual([
      { type: "thinking", thinking: "", signature },
      { type: "thinking", thinking: "Oh.", signature },
    ]);
  });

  it("is refused with another text than it was sent with", async () => {
    const { conversation } = await talk([think("Hm.", "one"), say("two")]);
    await conversation.ask("1");
    const [block, ...others] = conversation.messages[1]?.content ?? [];
    conversation.messages[1] = { role: "assistant", content: [{ ...block, thinking: "Ha." }, ...others] };
    await expect(conversation.ask("2")).rejects.toThrow("cannot be modified");
  });

  it("of a model that cannot be read is dropped without an error", async () => {
    const { conversation } = await talk([think("Hm.", "one"), say("two")], { betas: [BETA] });
    await conversation.ask("1", { model: "claude-opus-5-5" });
    const answer = await conversation.ask("2", { model: "claude-sonnet-5-5" });
    expect(answer.input_transformations).toEqual([
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "model_binding_mismatch" },
    ]);
  });

  it("that is redacted is bound as well", async () => {
    const { conversation } = await talk([thinkRedacted("b3BhcXVl", "one"), say("two"), say("three")]);
    await conversation.ask("1");
    await conversation.ask("2");
    await expect(conversation.ask("3", { system: "Other." })).rejects.toThrow(
      "Invalid `signature` in `redacted_thinking` block. The block is bound to a different conversation.",
    );
  });

  it("is refused right behind another one where something was left out between them", async () => {
    const answer = message([
      thought("One."),
      { type: "text", text: "\n\n" },
      thought("Two."),
      { type: "text", text: "A" },
    ]);
    const { script, conversation } = await talk([answer, say("two"), say("three")]);
    await conversation.ask("1");
    const { content = [] } = conversation.messages[1] ?? {};
    conversation.messages[1] = { role: "assistant", content: content.filter((_, at) => at !== 1) };
    await expect(conversation.ask("2")).rejects.toThrow("messages.1.content.1: `thinking` or");
    conversation.messages[1] = { role: "assistant", content: content.filter((_, at) => at !== 1 && at !== 2) };
    await conversation.send();
    expect(await script.violations()).toHaveLength(1);
  });

  it("may stand right behind another one where it was made so", async () => {
    const answer = message([thought("One."), { type: "redacted_thinking", data: "b3Bh" }, { type: "text", text: "A" }]);
    const { script, conversation } = await talk([answer, say("two")]);
    await conversation.ask("1");
    await conversation.ask("2");
    expect(await script.violations()).toEqual([]);
  });
});
