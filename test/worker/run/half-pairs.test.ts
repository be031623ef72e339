/**
 * Half of a surrogate pair is no Unicode, and the provider refuses a request that holds one, each time it is sent. So none
 * gets into a conversation, wherever the text comes from. What the model itself says is not looked at here.
 */
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { callTool, say } from "../../support/model-script.ts";
import type { RecordedRequest } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { endsOf, turnOnFiles } from "../../support/workerd/person-with-files.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const HALF = "\ud83d";

/** What stands in its place. */
const MARK = "\ufffd";

const FILES = { "long.txt": `a${"😀".repeat(1_500)}\n`, "smile.txt": "one 😀\n" };

const Sent = z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })) });

/** Halves in what is sent of ours. JSON spells them as escapes, also those inside of a text that is JSON itself. */
const halvesIn = (requests: readonly RecordedRequest[]): string[] =>
  requests.flatMap(({ body }) => {
    const { messages, ...rest } = Sent.parse(body);
    const ours = JSON.stringify({ ...rest, messages: messages.filter(({ role }) => role !== "assistant") });
    return ours.match(/.{0,40}\\ud[89a-f].{0,20}/gi) ?? [];
  });

/** Escaped where there are halves: a failure message that contains one would break the channel that reports it. */
const shown = (text: string): string => (text.isWellFormed() ? text : JSON.stringify(text));

const shownEnds = (events: Parameters<typeof endsOf>[0]) =>
  endsOf(events).map(([status, output]) => [status, shown(output)]);

/** A turn of one call, everything being allowed. */
const turnOf = async (name: string, input: Readonly<Record<string, unknown>>) => {
  const { allowed, model, textOf } = await turnOnFiles(FILES, [callTool(name, input), say("Done.")]);
  const [end] = shownEnds(await allowed());
  return { end, textOf, requests: await model.requests() };
};

describe("a tool's answer", () => {
  it.for([
    ["search_files", { pattern: "a" }, "completed", `long.txt:1:a${"😀".repeat(999)}`],
    ["search_files", { pattern: `(${HALF}` }, "failed", new RegExp(`"\\(${MARK}" is not a regular expression`)],
    ["read_file", { path: "long.txt" }, "completed", /^ +1\ta(😀)+… \[/u],
    ["list_files", { glob: `*${HALF}` }, "completed", `No file in . matches *${MARK}.`],
    ["run_shell", { command: "printf %.1s 😀" }, "completed", new RegExp(`^stdout:\\n${MARK}$`, "m")],
    ["run_shell", { command: `cat ${HALF}.txt` }, "failed", new RegExp(MARK)],
    ["list-stocks", { q: HALF }, "completed", /"total":0/],
    ["list-stocks", { [`${"k".repeat(63)}😀`]: 1 }, "failed", `${"k".repeat(63)}: unknown field, leave it out`],
    ["list-stocks", { [HALF]: 1 }, "failed", `${MARK}: unknown field, leave it out`],
    ["navigate", { view: "stocks", q: HALF }, "completed", `{"view":"stocks","q":"${MARK}"}`],
    ["add-stock", { symbol: "A", name: HALF, notes: HALF, tags: [HALF] }, "completed", new RegExp(`"notes":"${MARK}"`)],
  ] as const)("holds none: %s %j", async ([name, input, status, output], { expect }) => {
    const { end, requests } = await turnOf(name, input);
    expect(end).toEqual([status, typeof output === "string" ? output : expect.stringMatching(output)]);
    expect(halvesIn(requests)).toEqual([]);
    expect(requests).toHaveLength(2);
  });
});

it("an edit does not take a character apart", async ({ expect }) => {
  const { end, textOf, requests } = await turnOf("edit_file", { path: "smile.txt", oldText: HALF, newText: "" });
  expect(end).toEqual(["failed", expect.stringMatching(/^smile.txt: oldText: it is not in the file/)]);
  expect(shown(await textOf("smile.txt"))).toBe(FILES["smile.txt"]);
  expect(halvesIn(requests)).toEqual([]);
});

it("a file is written without any", async ({ expect }) => {
  const { end, textOf } = await turnOf("write_file", { path: "new.txt", content: `one ${HALF}` });
  expect(end).toEqual(["completed", "Created new.txt."]);
  expect(await textOf("new.txt")).toBe(`one ${MARK}`);
});

it("a prompt is sent without any, in its turn and the next", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi."), say("Again.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt(`half ${HALF} of a pair`));
  await client.runToEnd("t", "Again");
  const requests = await model.requests();
  expect(halvesIn(requests)).toEqual([]);
  expect(requests.map(({ body }) => JSON.stringify(body).includes(`half ${MARK} of a pair`))).toEqual([true, true]);
});

it("the words of a reject reach the model without any", async ({ expect }) => {
  const replies = [callTool("delete_file", { path: "smile.txt" }), say("I leave it.")];
  const { asked, decide, toEnd, model } = await turnOnFiles(FILES, replies);
  await decide(await asked(), "reject", `not ${HALF} this`);
  expect(shownEnds(await toEnd())).toEqual([["denied", `The person rejected this call. They said: not ${MARK} this`]]);
  expect(halvesIn(await model.requests())).toEqual([]);
});

it("the screen reaches the model without any", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("view-screen", {}), say("I see.")]);
  const client = somebody();
  const screen = { view: "stocks", path: `/stocks?q=${HALF}`, filters: { q: HALF } };
  expect(await client.ask("POST", "/_framework/actions/set-navigation", screen)).toMatchObject({ status: 200 });
  const events = await client.runToEnd("t", model.prompt("What do I see?"));
  expect(shownEnds(events)).toEqual([["completed", expect.stringContaining(`/stocks?q=${MARK}`)]]);
  expect(halvesIn(await model.requests())).toEqual([]);
});
