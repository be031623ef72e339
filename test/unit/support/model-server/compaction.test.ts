/** Summaries on demand: how they are asked for, what stands for them later, and what thinking outlives them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MessagesApiServer, startMessagesApiServer } from "../../../support/messages-api-server.ts";
import { callTool, noSummary, pauseTurn, say, summary, think, toCompaction } from "../../../support/model-script.ts";
import { requestProblem } from "../../../support/model-server/messages-api-rules.ts";
import type { Reply } from "../../../support/model-server/reply.ts";
import { fail } from "../../../support/model-troubles.ts";
import { scriptModel } from "../../../support/scripted-model.ts";
import { type Saying, user, VendorTalk, vendorClient } from "../../../support/vendor-talk.ts";

let server: MessagesApiServer;
beforeAll(async () => {
  server = await startMessagesApiServer();
});
afterAll(() => server.close());

const BETA = "compact-2026-09-04";
const ALWAYS: Saying = { system: "Be brief.", betas: [BETA] };
const SUMMARIZE: Saying = { compaction: { type: "summarize" } };
const signature = expect.stringMatching(/^[\w+/]{90,}=*$/);

const talk = async (replies: readonly Reply[], always: Saying = ALWAYS) => {
  const script = await scriptModel(server.url, replies);
  return { script, conversation: new VendorTalk(server.url, script, always) };
};

/** Three thoughtful turns, the first `count` messages of which are summarized; the rest is kept behind the summary. */
const compacted = async (count: number, also: Saying = {}, more: readonly Reply[] = [say("four"), say("five")]) => {
  const thoughts = ["one", "two", "three"].map((word) => think(`Hm, ${word}.`, word));
  const world = await talk([...thoughts, summary("They counted."), ...more]);
  for (const turn of ["1", "2", "3"]) await world.conversation.ask(turn);
  await compact(world.conversation, count, also);
  return world;
};

const compact = async (conversation: VendorTalk, count: number, also: Saying = {}): Promise<void> => {
  const kept = conversation.messages.slice(count);
  conversation.messages = conversation.messages.slice(0, count);
  const { content } = await conversation.send({ ...SUMMARIZE, ...also });
  conversation.messages = [{ role: "assistant", content: content.map((block) => ({ ...block })) }, ...kept];
};

const blockOf = ({ messages }: VendorTalk) => messages[0]?.content[0] ?? {};

describe("a request for a summary", () => {
  it("is answered by one signed block, which costs in iterations alone", async () => {
    const { script, conversation } = await talk([
      say("one"),
      summary("They met.", { usage: { input: 90, output: 7 } }),
    ]);
    await conversation.ask("1");
    const answer = await conversation.send(SUMMARIZE);
    expect(answer.content).toEqual([{ type: "compaction", content: "They met.", signature }]);
    expect(answer.stop_reason).toBe("compaction");
    expect(answer.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    expect(answer.usage.iterations).toMatchObject([{ type: "compaction", input_tokens: 90, output_tokens: 7 }]);
    expect(await script.violations()).toEqual([]);
  });

  it("is answered alike as one piece of JSON, and with the text in a delta", async () => {
    const { script, conversation } = await talk([
      summary("Whole."),
      summary("Grown.", { inDelta: true, fields: { encrypted_content: null } }),
    ]);
    const messages = [{ role: "user" as const, content: script.prompt("1") }];
    const whole = await vendorClient(server.url).beta.messages.create({
      ...{ model: "claude-sonnet-5-5", max_tokens: 100, betas: [BETA], compaction: { type: "summarize" as const } },
      messages,
    });
    conversation.messages = [user(script.prompt("1"))];
    const grown = await conversation.send(SUMMARIZE);
    expect([whole.content, grown.content]).toEqual([
      [{ type: "compaction", content: "Whole.", signature }],
      [{ type: "compaction", content: "Grown.", encrypted_content: null, signature }],
    ]);
    expect([whole.stop_reason, grown.stop_reason]).toEqual(["compaction", "compaction"]);
  });

  it("plays its own replies, whatever turns are answered meanwhile", async () => {
    const overloaded = toCompaction(fail(529, "overloaded_error", "Overloaded"));
    const { conversation } = await talk([overloaded, noSummary("max_tokens"), say("one"), say("two")]);
    await conversation.ask("1");
    await expect(conversation.send(SUMMARIZE)).rejects.toMatchObject({ status: 529 });
    const nothing = await conversation.send(SUMMARIZE);
    expect([nothing.content, nothing.stop_reason]).toEqual([[], "max_tokens"]);
    expect((await conversation.ask("2")).content).toMatchObject([{ text: "two" }]);
  });

  it.each<[string, Reply, Saying, Record<string, unknown>]>([
    [
      "without its beta",
      say("one"),
      { betas: [] },
      { message: expect.stringContaining(`requires anthropic-beta: ${BETA}`) },
    ],
    ["with calls that have no results", callTool("read_file", {}), {}, { errorCode: "compaction_incomplete_turn" }],
    ["of a paused answer", pauseTurn("So far"), {}, { errorCode: "compaction_incomplete_turn" }],
    [
      "with parameters that would do nothing",
      say("one"),
      { stop_sequences: ["."] },
      { message: expect.stringContaining("stop_sequences") },
    ],
    ["of a model that writes none", say("one"), { model: "claude-haiku-4-5" }, { status: 400 }],
  ])("is refused %s", async (_name, reply, also, error) => {
    const { script, conversation } = await talk([reply, summary("never sent")]);
    await conversation.ask("1");
    await expect(conversation.send({ ...SUMMARIZE, ...also })).rejects.toMatchObject(error);
    expect(await script.violations()).toHaveLength(1);
  });

  it("is refused of nothing", () => {
    const body = { model: "claude-sonnet-5-5", max_tokens: 100, messages: [], compaction: { type: "summarize" } };
    expect(requestProblem(body, { headers: { "anthropic-beta": BETA } })).toContain("content to summarize");
  });

  it("is let through with the rule off", async () => {
    const { script, conversation } = await talk([say("one"), summary("Done.")]);
    await conversation.ask("1");
    await script.withoutRules("compaction");
    const answer = await conversation.send({ ...SUMMARIZE, betas: [] });
    expect(answer.stop_reason).toBe("compaction");
  });

  it("is answered behind another system prompt, but filed", async () => {
    const { script, conversation } = await talk([say("one"), summary("Done."), summary("Again.")]);
    await conversation.ask("1");
    await conversation.send({ ...SUMMARIZE, system: "Summarize." });
    expect(await script.violations()).toEqual([
      "compaction: the `system` prompt differs from that of the conversation",
    ]);
    await script.withoutRules("compactionHead");
    await conversation.send({ ...SUMMARIZE, system: "Summarize." });
    expect(await script.violations()).toHaveLength(1);
  });
});

describe("a summary sent first", () => {
  it("stands for all that it summarizes, also of the script's marker", async () => {
    const { script, conversation } = await compacted(6);
    conversation.messages.push(user("Four, then?"));
    const answer = await conversation.send();
    expect(answer.content).toMatchObject([{ text: "four" }]);
    expect(await script.violations()).toEqual([]);
  });

  it("may begin a message that goes on, and end in a cache breakpoint", async () => {
    const { script, conversation } = await compacted(6);
    const block = { ...blockOf(conversation), cache_control: { type: "ephemeral" } };
    conversation.messages = [{ role: "user", content: [block, { type: "text", text: "Four, then?" }] }];
    await conversation.send();
    expect(await script.violations()).toEqual([]);
  });

  it.each<[string, (conversation: VendorTalk) => void, Record<string, unknown>]>([
    [
      "behind other messages",
      (talked) => talked.messages.unshift(user("1"), { role: "assistant", content: [{ type: "text", text: "one" }] }),
      { errorCode: "compaction_block_misplaced" },
    ],
    [
      "twice",
      (talked) => talked.messages.push({ role: "assistant", content: [blockOf(talked)] }),
      { errorCode: "compaction_block_ambiguous" },
    ],
    [
      "with other words",
      (talked) =>
        talked.messages.splice(0, 1, { role: "assistant", content: [{ ...blockOf(talked), content: "Ha." }] }),
      { errorCode: "compaction_content_mismatch" },
    ],
    [
      "with a forged signature",
      (talked) =>
        talked.messages.splice(0, 1, { role: "assistant", content: [{ ...blockOf(talked), signature: "Zm8" }] }),
      { errorCode: "compaction_signature_invalid" },
    ],
    [
      "with fields the API did not send",
      (talked) =>
        talked.messages.splice(0, 1, { role: "assistant", content: [{ ...blockOf(talked), citations: null }] }),
      { message: expect.stringContaining("messages.0.content.0.citations: Extra inputs are not permitted") },
    ],
  ])("is refused %s", async (_name, edit, error) => {
    const { conversation } = await compacted(4);
    edit(conversation);
    await expect(conversation.ask("4")).rejects.toMatchObject({ status: 400, ...error });
  });

  it("is refused without its beta, and let through with the rule off", async () => {
    const { script, conversation } = await compacted(6);
    await expect(conversation.ask("4", { betas: [] })).rejects.toThrow("Input tag 'compaction'");
    await script.withoutRules("compaction");
    await conversation.send({ betas: [] });
  });
});

describe("thinking in kept turns", () => {
  const elsewhere = "The block is bound to a different conversation.";

  it.each([2, 4, 5])("stays valid behind a summary of %i messages, and so does what is thought then", async (count) => {
    const { script, conversation } = await compacted(count, {}, [think("Oh.", "four"), say("five")]);
    await conversation.ask("4");
    await conversation.ask("5");
    expect(await script.violations()).toEqual([]);
  });

  it("stays valid behind a summary of a summary", async () => {
    const replies = [think("Oh.", "four"), summary("They counted on."), say("five")];
    const { script, conversation } = await compacted(2, {}, replies);
    await conversation.ask("4");
    await compact(conversation, 5);
    await conversation.ask("5");
    expect(await script.violations()).toEqual([]);
  });

  it("is lost where a kept turn is changed or left out", async () => {
    const { conversation } = await compacted(2);
    const whole = conversation.messages;
    conversation.messages = whole.filter((_, at) => at !== 1 && at !== 2);
    await expect(conversation.ask("4")).rejects.toThrow(elsewhere);
    conversation.messages = whole.map((one, at) => (at === 1 ? user("Another.") : one)).slice(0, 5);
    await expect(conversation.ask("4")).rejects.toThrow(elsewhere);
  });

  it("is lost where the summary was written behind another system prompt", async () => {
    const { conversation } = await talk([say("one"), think("Hm.", "two"), summary("Done."), say("never sent")]);
    await conversation.ask("1");
    await conversation.ask("2");
    await compact(conversation, 2, { system: "Summarize." });
    await expect(conversation.ask("3")).rejects.toThrow(elsewhere);
  });

  it.each(["claude-sonnet-5", "claude-opus-5"])("is lost where %s wrote the summary", async (model) => {
    const { conversation } = await compacted(2, { model });
    await expect(conversation.ask("4")).rejects.toThrow(elsewhere);
  });

  it("is lost where the first kept message has the role of the last that was summarized", async () => {
    const { script, conversation } = await talk([think("Hm.", "one"), summary("Done."), say("never sent")]);
    conversation.messages.push(user(script.prompt("Before that:")));
    await conversation.ask("1");
    await compact(conversation, 1);
    await expect(conversation.ask("2")).rejects.toThrow(elsewhere);
  });

  it("that was thought behind a summary is lost without it", async () => {
    const { conversation } = await compacted(6, {}, [think("Oh.", "four"), say("never sent")]);
    await conversation.ask("4");
    conversation.messages.shift();
    await expect(conversation.ask("5")).rejects.toThrow(elsewhere);
  });
});
