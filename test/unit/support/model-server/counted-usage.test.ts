/** Usage that the server counts: what the prompt cache of the real API would read and write. */
import type { BetaMessage } from "@anthropic-ai/sdk/resources/beta/messages";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MessagesApiServer, startMessagesApiServer } from "../../../support/messages-api-server.ts";
import { say, summary } from "../../../support/model-script.ts";
import { scriptModel } from "../../../support/scripted-model.ts";
import { type Saying, user, VendorTalk } from "../../../support/vendor-talk.ts";

let server: MessagesApiServer;
beforeAll(async () => {
  server = await startMessagesApiServer();
});
afterAll(() => server.close());

const LONG = "word ".repeat(400);
const ALWAYS: Saying = { system: [{ type: "text", text: LONG, cache_control: { type: "ephemeral" } }] };

const figures = ({ usage }: BetaMessage) => ({
  read: usage.cache_read_input_tokens ?? 0,
  written: usage.cache_creation_input_tokens ?? 0,
  rest: usage.input_tokens,
});

const talk = async () => {
  const replies = Array.from({ length: 4 }, (_, at) => say(`Answer ${at}`, { usage: "counted" }));
  const script = await scriptModel(server.url, replies);
  return { script, conversation: new VendorTalk(server.url, script, ALWAYS) };
};

/** Marks the last block of all, and no other message. */
const markLast = (conversation: VendorTalk): void => {
  const last = conversation.messages.length - 1;
  conversation.messages = conversation.messages.map(({ role, content }, at) => ({
    role,
    content: content.map(({ cache_control: _, ...block }, index) =>
      at === last && index === content.length - 1 ? { ...block, cache_control: { type: "ephemeral" } } : block,
    ),
  }));
};

const askMarked = async ({ script, conversation }: Awaited<ReturnType<typeof talk>>, words: string, also?: Saying) => {
  conversation.messages.push(user(script.prompt(words)));
  markLast(conversation);
  const answer = await conversation.send(also);
  conversation.keep(answer);
  return figures(answer);
};

it("reads all that the request before has written, and writes what came since", async () => {
  const world = await talk();
  const [first, second] = [await askMarked(world, "1"), await askMarked(world, "2")];
  expect(first).toEqual({ read: 0, written: expect.any(Number), rest: 0 });
  expect(first.written).toBeGreaterThan(500);
  expect(second).toEqual({ read: first.written, written: expect.any(Number), rest: 0 });
  expect(second.written).toBeGreaterThan(0);
});

it("reads the system prompt alone after an earlier message has changed, and nothing after that has", async () => {
  const world = await talk();
  await askMarked(world, "1");
  world.conversation.messages[0] = user("0");
  const { read } = await askMarked(world, "2");
  expect([read > 500, read < 520]).toEqual([true, true]);
  expect(await askMarked(world, "3", { system: "Other." })).toMatchObject({ read: 0 });
});

it("reads and writes nothing of a request without breakpoints", async () => {
  const { conversation } = await talk();
  await conversation.ask("1", { system: LONG });
  expect(figures(await conversation.ask("2", { system: LONG }))).toMatchObject({ read: 0, written: 0 });
});

it("does not look further back than twenty blocks before a breakpoint", async () => {
  const world = await talk();
  world.conversation.messages = Array.from({ length: 21 }, (_, at) => user(`${at}`));
  await askMarked(world, "1");
  world.conversation.messages.push(...Array.from({ length: 21 }, (_, at) => user(`${at}`)));
  const { read } = await askMarked(world, "2");
  expect(read).toBeLessThan(520);
});

it("counts what a summary costs in its iteration, and leaves other usage as it is scripted", async () => {
  const replies = [say("one"), summary("Done.", { usage: "counted" })];
  const script = await scriptModel(server.url, replies);
  const conversation = new VendorTalk(server.url, script, { ...ALWAYS, betas: ["compact-2026-09-04"] });
  expect((await conversation.ask("1")).usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  const { usage } = await conversation.send({ compaction: { type: "summarize" } });
  expect(usage).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 0 });
  expect(usage.iterations).toMatchObject([{ type: "compaction", cache_read_input_tokens: expect.any(Number) }]);
});
