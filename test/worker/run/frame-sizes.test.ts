/** How large frames may be, and what becomes of the rest (api.md §3). */
import { inject, it } from "vitest";
import { callTool, say, think } from "../../support/model-script.ts";
import {
  closeBlock,
  closeMessage,
  openMessage,
  openText,
  textDelta,
} from "../../support/model-server/message-frames.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** Largest frame of a kind that is cut, in bytes. */
const MAX_FRAME_BYTES = 65_536;

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** Sizes in bytes of the frames of a kind, as they came over the wire. */
const frameSizes = (text: string, type: string): number[] =>
  text
    .split(/(?<=\n\n)/)
    .filter((frame) => frame.includes(`"type":"${type}"`))
    .map(utf8Length);

it.for([
  ["of one byte", "word "],
  ["of two bytes", "é"],
  ["of three bytes", "€"],
  ["of four bytes", "💥"],
] as const)(
  "deltas of characters %s are never empty, at most 2 KB, and together the message's text",
  async ([, char], { expect }) => {
    const text = char.repeat(5_000);
    const model = await scriptModel(inject("modelUrl"), [say(text, { deltas: 7 })]);
    const events = await somebody().runToEnd("t", model.prompt("Hello"));
    const deltas = ofType(events, "text_delta").map((delta) => delta.text);
    expect(deltas.filter((delta) => delta === "" || !delta.isWellFormed())).toEqual([]);
    expect(Math.max(...deltas.map(utf8Length))).toBeLessThanOrEqual(2_048);
    expect(deltas.join("")).toBe(text);
    expect(theOnly(events, "message_end").text).toBe(text);
  },
);

it("an empty delta of the model is not sent", async ({ expect }) => {
  const deltas = ["", "a", "", "b", ""].map((text) => textDelta(0, text));
  const frames = [...openMessage(), openText(0), ...deltas, closeBlock(0), ...closeMessage("end_turn")];
  const model = await scriptModel(inject("modelUrl"), [{ type: "stream", frames }]);
  const events = await somebody().runToEnd("t", model.prompt("Hello"));
  expect(ofType(events, "text_delta").filter(({ text }) => text === "")).toEqual([]);
  expect(theOnly(events, "message_end").text).toBe("ab");
});

it("thinking is cut into deltas of at most 2 KB, too", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [think("💥".repeat(3_000), "Done.")]);
  const events = await somebody().runToEnd("t", model.prompt("Hello"));
  const deltas = ofType(events, "thinking_delta").map((delta) => delta.text);
  expect(Math.max(...deltas.map(utf8Length))).toBeLessThanOrEqual(2_048);
  expect(deltas.join("")).toBe("💥".repeat(3_000));
});

it("the first delta is sent at once, however short (api.md §3)", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("a", "b")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  const events = await client.eventsUntil(turn.events, "text_delta");
  expect(theOnly(events, "text_delta").text).toBe("a");
  expect((await model.requests()).map(({ state }) => state)).toEqual(["held"]);
});

it("message_end is never cut", async ({ expect }) => {
  const text = "x".repeat(150_000);
  const model = await scriptModel(inject("modelUrl"), [say(text, { deltas: 100 })]);
  const events = await somebody().runToEnd("t", model.prompt("Hello"));
  expect(theOnly(events, "message_end").text).toBe(text);
});

it.for([
  ["one byte", "p"],
  ["three bytes", "€"],
  ["a surrogate pair", "💥"],
  ["an escape in JSON", '"'],
] as const)(
  "a prompt of 200,000 characters of %s is cut in user_message; its route and the model have it whole",
  async ([, char], { expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const client = somebody();
    const room = 200_000 - model.prompt("").length;
    const prompt = model.prompt(`x${char.repeat(Math.floor((room - 1) / char.length))}`);
    const turn = await client.startTurn("t", prompt);
    const stream = await (await client.request(turn.events)).text();
    expect(Math.max(...frameSizes(stream, "user_message"))).toBeLessThanOrEqual(MAX_FRAME_BYTES);
    const message = theOnly(await client.events(turn.events), "user_message");
    expect(message.truncated).toBe(true);
    expect(message.text.isWellFormed()).toBe(true);
    expect(message.text.length).toBeGreaterThan(5_000);
    expect(prompt.startsWith(message.text)).toBe(true);
    expect(await client.ask("GET", `/_framework/runs/${turn.runId}/prompt`)).toEqual({ status: 200, body: { prompt } });
    const [request] = await model.requests();
    expect(request?.body.messages).toMatchObject([
      { content: [{ text: expect.stringMatching(/^<context>/) }, { text: prompt }] },
    ]);
  },
);

it("a short user_message says nothing of being cut", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const events = await somebody().runToEnd("t", model.prompt("Hello"));
  expect(theOnly(events, "user_message")).not.toHaveProperty("truncated");
});

it("a tool's input is cut in tool_start and permission_request, at 64 KB", async ({ expect }) => {
  const items = Array.from({ length: 40 }, (_, nth) => ({ symbol: `S${nth}`, notes: "€".repeat(4_000) }));
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { items }), say("Done.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Import"));
  const asked = await client.eventsUntil(turn.events, "run_status");
  await client.decide(turn.runId, theOnly(asked, "permission_request").requestId, { decision: "allow_once" });
  const stream = await (await client.request(turn.events)).text();
  const sizes = ["tool_start", "permission_request", "tool_end"].flatMap((type) => frameSizes(stream, type));
  expect(sizes).toHaveLength(3);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  expect(stream.match(/"type":"(tool_start|permission_request)".*"truncated":true/g)).toHaveLength(2);
  expect(await client.action("list-stocks", { q: "S39" })).toMatchObject({ items: [{ notes: "€".repeat(4_000) }] });
});

it.for([
  ["one huge key", { ["k".repeat(200_000)]: true }],
  ["8,000 keys", Object.fromEntries(Array.from({ length: 8_000 }, (_, nth) => [`key${nth}`, "value"]))],
  ["one huge list", { q: Array.from({ length: 20_000 }, () => "value") }],
] as const)("a call whose input is %s makes no frame over 64 KB", async ([, input], { expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("list-stocks", input), say("Done.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("List"));
  const stream = await (await client.request(turn.events)).text();
  const sizes = ["tool_start", "tool_end"].flatMap((type) => frameSizes(stream, type));
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  expect(theOnly(await client.events(turn.events), "run_end").status).toBe("completed");
});

it("a tool's output is cut in tool_end; the model has the whole", async ({ expect }) => {
  const client = somebody();
  const items = Array.from({ length: 40 }, (_, nth) => ({ symbol: `S${nth}`, notes: `${nth}${"n".repeat(3_990)}` }));
  await client.action("add-stock", { items });
  const model = await scriptModel(inject("modelUrl"), [callTool("list-stocks", {}), say("Done.")]);
  const turn = await client.startTurn("t", model.prompt("List"));
  const stream = await (await client.request(turn.events)).text();
  expect(Math.max(...frameSizes(stream, "tool_end"))).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  const end = theOnly(await client.events(turn.events), "tool_end");
  expect(end.truncated).toBe(true);
  expect(end.output.length).toBeGreaterThan(20_000);
  const [, request] = await model.requests();
  const sent = JSON.stringify(request?.body.messages);
  expect(items.filter(({ notes }) => !sent.includes(notes))).toEqual([]);
  expect(await model.violations()).toEqual([]);
});
