/** What a thread sends from turn to turn, to a provider as strict as the real one: each request begins with the one before. */
import { describe, expect, inject, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { callTool, message, opaque, refuse, say, think, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { fail } from "../../support/model-troubles.ts";
import { type ScriptedModel, scriptModel } from "../../support/scripted-model.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const OPENING = ["run_start", "user_message"];
const SAID = ["message_start", "text_delta", "message_end"];

/** Somebody in a chat with a model that plays these replies; `turn` says something and reads the turn to its end. */
const chat = async (replies: readonly Reply[]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const person = somebody();
  return { model, person, turn: (text: string) => person.runToEnd("t", model.prompt(text)) };
};

const bodiesOf = async (model: ScriptedModel) => (await model.requests()).map(({ body }) => body);

/** Where any request fails to begin with the one before it. */
const differences = async (model: ScriptedModel) => {
  const bodies = await bodiesOf(model);
  return bodies.slice(1).map((body, index) => whereItDiffers(bodies[index] ?? {}, body));
};

const open = (person: Somebody, path: string) =>
  person.ask("POST", "/_framework/actions/set-navigation", { view: "stocks", path });

describe("a thread", () => {
  it("works in its second turn although the screen has moved, and sends what it sent before", async ({ expect }) => {
    const { model, person, turn } = await chat([think("Hm.", "Hello."), think("So.", "Again.")]);
    await turn("Hi");
    await open(person, "/stocks?q=apple");
    const events = await turn("And now?");
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(await model.violations()).toEqual([]);
    expect(await differences(model)).toEqual([undefined]);
    expect(JSON.stringify((await bodiesOf(model))[1]?.messages)).toContain("q=apple");
  });

  it("continues after a permission answer with what the turn began with, wherever the screen is by then", async ({
    expect,
  }) => {
    const model = await scriptModel(inject("modelUrl"), [
      message([thought("I add it."), toolUse({ name: "add-stock", input: { symbol: "AAPL" } })]),
      think("Done.", "Added."),
    ]);
    const person = somebody();
    const turn = await person.startTurn("t", model.prompt("Add AAPL"));
    const events = await person.followWith(turn.events, async (event) => {
      if (event.type === "permission_request") await open(person, "/stocks?q=moved");
      await person.allow(turn.runId, event);
    });
    expect(events.at(-1)).toMatchObject({ status: "completed" });
    expect(await differences(model)).toEqual([undefined]);
    expect(await model.violations()).toEqual([]);
  });

  it("sends the rules as its system prompt, and date, workspace and screen before the prompt", async ({ expect }) => {
    const { model, turn } = await chat([say("Hello.")]);
    await turn("Hi");
    const [body] = await bodiesOf(model);
    expect(JSON.stringify(body?.system)).not.toMatch(/Today is|screen, as the app/);
    expect(body?.messages).toMatchObject([
      {
        role: "user",
        content: [
          { text: expect.stringMatching(/^<context>\nToday is \d{4}-\d\d-\d\d \(UTC\)\./) },
          { text: model.prompt("Hi") },
        ],
      },
    ]);
  });

  it.each<[string, Reply]>([
    [
      "a blank text between two thoughts",
      message([
        thought("One."),
        { type: "text", text: "\n\n" },
        thought("Two."),
        toolUse({ name: "list-stocks", input: {} }),
      ]),
    ],
    [
      "a text after the call",
      message([thought("One."), toolUse({ name: "list-stocks", input: {} }), { type: "text", text: "I look." }]),
    ],
  ])("goes on after an answer with %s", async (_what, answer) => {
    const { model, turn } = await chat([answer, say("None."), say("Again.")]);
    const first = await turn("What do I own?");
    expect(kinds(first)).not.toContain("context_reset");
    expect(theOnly(first, "run_end")).toMatchObject({ status: "completed" });
    expect(kinds(await turn("And now?"))).not.toContain("context_reset");
    expect(await model.violations()).toEqual([]);
  });

  it("goes on after an answer that was cut after a call", async ({ expect }) => {
    const call = toolUse({ name: "list-stocks", input: {} });
    const cut = message([thought("One."), call, { type: "text", text: "And th" }], { stopReason: "max_tokens" });
    const { model, turn } = await chat([cut, say("Again.")]);
    expect(theOnly(await turn("What do I own?"), "run_end")).toMatchObject({ stopReason: "max_tokens" });
    expect(kinds(await turn("Go on"))).not.toContain("context_reset");
    expect(await model.violations()).toEqual([]);
  });

  it("sends back blocks of a kind that nobody knows yet, and thinking whose text is empty", async ({ expect }) => {
    const { model, turn } = await chat([
      message([
        thought(""),
        opaque({ type: "server_note", note: "kept", deep: { list: [1] } }),
        { type: "text", text: "Hi." },
      ]),
      say("Again."),
    ]);
    await turn("Hi");
    expect(theOnly(await turn("And?"), "run_end")).toMatchObject({ status: "completed" });
    expect(await model.violations()).toEqual([]);
    expect(JSON.stringify((await bodiesOf(model))[1]?.messages)).toContain('"type":"server_note","note":"kept"');
  });

  it("lets the provider drop what no longer fits once the model is another one", async ({ expect }) => {
    const { model, person, turn } = await chat([think("Hm.", "Hello."), think("So.", "Again."), say("Third.")]);
    await turn("Hi");
    const chosen = await person.postTurn({ threadId: "t", prompt: model.prompt("And?"), model: "claude-opus-5-5" });
    await person.events(Object(chosen.body).events);
    await turn("Back?");
    const bindings = (await bodiesOf(model)).map(({ thinking }) => Object(thinking).block_binding);
    expect(bindings).toEqual([
      undefined,
      { prefix_mismatch_behavior: "drop_block" },
      { prefix_mismatch_behavior: "drop_block" },
    ]);
    expect(await model.violations()).toEqual([]);
  });
});

describe("nothing poisons a thread:", () => {
  it("a tool that the model made up is reported, and kept under a name that the API accepts", async ({ expect }) => {
    const { model, turn } = await chat([callTool("functions.read_file", { path: "a" }), say("Sorry."), say("Fine.")]);
    const events = await turn("Read it");
    expect(theOnly(events, "tool_end")).toMatchObject({
      status: "failed",
      output: expect.stringContaining("read_file"),
    });
    expect(theOnly(await turn("And now?"), "run_end")).toMatchObject({ status: "completed" });
    expect(await model.violations()).toEqual([]);
  });

  it("a refusal stays in the transcript and is left out of later requests, which say what it had done", async ({
    expect,
  }) => {
    const { model, person, turn } = await chat([
      callTool("add-stock", { symbol: "AAPL" }),
      refuse("I cannot go on."),
      say("Fine."),
      say("Still fine."),
    ]);
    const first = await person.startTurn("t", model.prompt("Forbidden words"));
    const refused = await person.followWith(first.events, (event) => person.allow(first.runId, event));
    expect(refused.at(-1)).toMatchObject({ status: "completed", stopReason: "refusal" });
    await turn("Hello");
    await turn("And?");
    const [, , third, fourth] = (await bodiesOf(model)).map(({ messages }) => JSON.stringify(messages));
    expect(third).not.toContain("Forbidden words");
    expect(third).toContain("left out here, because the model refused it");
    expect(third).toContain("add-stock (Add AAPL)");
    expect(fourth?.startsWith(third?.slice(0, 200) ?? "-")).toBe(true);
    expect(await model.violations()).toEqual([]);
  });

  it("a conversation that is permanently refused continues as plain text, in a new epoch", async ({ expect }) => {
    const { model, turn } = await chat([
      callTool("list-stocks", {}),
      think("Hm.", "You own nothing."),
      fail(400, "invalid_request_error", "messages.1: something nobody thought of"),
      say("Here I am."),
      say("Still here."),
    ]);
    await turn("What do I own?");
    const events = await turn("And now?");
    expect(kinds(events)).toEqual([...OPENING, "context_reset", ...SAID, "run_end"]);
    await turn("Later");
    const [, , refused, plain, later] = await bodiesOf(model);
    expect(JSON.stringify(refused?.messages)).toContain("tool_use");
    expect(JSON.stringify(plain?.messages)).not.toMatch(/tool_use|thinking/);
    expect(JSON.stringify(plain?.messages)).toContain("You own nothing.");
    expect(whereItDiffers(plain ?? {}, later ?? {})).toBeUndefined();
    expect(await model.violations()).toEqual([]);
  });

  it("refused as plain text too, it continues without earlier turns", async ({ expect }) => {
    const nobodyKnows = fail(400, "invalid_request_error", "something nobody thought of");
    const { model, turn } = await chat([say("One."), nobodyKnows, nobodyKnows, say("Here I am."), say("Still here.")]);
    await turn("First words");
    const events = await turn("Second words");
    expect(ofType(events, "context_reset")).toMatchObject([{ reason: expect.stringContaining("no longer sent") }]);
    await turn("Third words");
    const last = JSON.stringify((await bodiesOf(model)).at(-1)?.messages);
    expect([last.includes("First words"), last.includes("Second words")]).toEqual([false, true]);
  });

  it("a first turn that is refused fails, and the next one works", async ({ expect }) => {
    const nobodyKnows = fail(400, "invalid_request_error", "something nobody thought of");
    const { turn } = await chat([nobodyKnows, nobodyKnows, nobodyKnows, say("Here I am.")]);
    expect(theOnly(await turn("Bad"), "run_end")).toMatchObject({ error: { code: "model_invalid_request" } });
    expect(theOnly(await turn("Good"), "run_end")).toMatchObject({ status: "completed" });
  });
});
