/** What only the server can make must come back as it was sent. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MessagesApiServer, startMessagesApiServer } from "../../../support/messages-api-server.ts";
import { message, opaque, pauseTurn, say } from "../../../support/model-script.ts";
import { scriptModel } from "../../../support/scripted-model.ts";
import { VendorTalk } from "../../../support/vendor-talk.ts";

let server: MessagesApiServer;
beforeAll(async () => {
  server = await startMessagesApiServer();
});
afterAll(() => server.close());

const NOTE = { type: "server_note", words: ["a", "b"], at: null };

const talkWithNote = async () => {
  const script = await scriptModel(server.url, [message([opaque(NOTE), { type: "text", text: "one" }]), say("two")]);
  const conversation = new VendorTalk(server.url, script);
  await conversation.ask("1");
  return { script, conversation };
};

const replaceNote = (conversation: VendorTalk, note: Readonly<Record<string, unknown>>): void => {
  const [, ...others] = conversation.messages[1]?.content ?? [];
  conversation.messages[1] = { role: "assistant", content: [note, ...others] };
};

it("a block of an unknown kind is accepted as it was sent, whatever the order of its fields", async () => {
  const { script, conversation } = await talkWithNote();
  replaceNote(conversation, { at: null, words: ["a", "b"], type: "server_note" });
  await conversation.ask("2");
  expect(await script.violations()).toEqual([]);
});

it.each<[string, Readonly<Record<string, unknown>>]>([
  ["a changed value", { ...NOTE, words: ["a"] }],
  ["a field left out", { type: "server_note", words: ["a", "b"] }],
  ["a field added", { ...NOTE, more: 1 }],
  ["a block that was never sent", { type: "other_note" }],
])("%s is refused, unless its rule is off", async (_name, note) => {
  const { script, conversation } = await talkWithNote();
  replaceNote(conversation, note);
  await expect(conversation.ask("2")).rejects.toThrow("messages.1.content.0: Input tag");
  await script.withoutRules("opaque");
  await conversation.send();
});

it("an answer that was paused may come back as the last message, and nothing else may", async () => {
  const script = await scriptModel(server.url, [pauseTurn("So far"), say("Done.")]);
  const conversation = new VendorTalk(server.url, script);
  await conversation.ask("1");
  conversation.keep(await conversation.send());
  await expect(conversation.send()).rejects.toThrow("The conversation must end with a user message.");
});

it("a script can be asked what was sent, with the signatures that the server made", async () => {
  const { script, conversation } = await talkWithNote();
  expect(await script.answers()).toEqual([conversation.messages[1]?.content]);
});
