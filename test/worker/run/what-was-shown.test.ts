/** An action that a person allowed is about the record that they were shown (decision 0205). */
import { inject, it } from "vitest";
import { z } from "zod";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const Added = z.object({ stock: z.object({ id: z.string() }) });

const List = z.object({
  items: z.array(z.object({ symbol: z.string(), quantity: z.string().nullable(), notes: z.string().nullable() })),
});

const NOTES = (id: string) => callTool("update-stock", { id, set: { notes: "Of the agent." } });

/** Merges into the stock that has the symbol, which a new one would have as well. */
const MERGE = () =>
  callTool("add-stock", { items: [{ symbol: "JUNK", notes: "Of the agent." }], onConflict: "update" });

const DELETION = (id: string) => callTool("delete-stock", { id });

/** A stock that the agent wants to change, which the person changes before they allow that. */
const allowedAfter = async (call: typeof NOTES, meanwhile: Record<string, unknown>) => {
  const person = somebody();
  const added = await person.action("add-stock", { symbol: "JUNK", quantity: "1", notes: "As shown." });
  const { id } = Added.parse(added).stock;
  const model = await scriptModel(inject("modelUrl"), [call(id), say("Done.")]);
  const { runId, events } = await person.startTurn("t", model.prompt("Change it"));
  const { requestId } = theOnly(await person.eventsUntil(events, "run_status"), "permission_request");
  await person.action("update-stock", { id, set: meanwhile });
  await person.decide(runId, requestId, { decision: "allow_once" });
  const end = theOnly(await person.events(events), "tool_end");
  return { end, items: List.parse(await person.action("list-stocks", {})).items };
};

it.for([
  ["the stock is another one", NOTES, { symbol: "AMZN" }, { symbol: "AMZN", quantity: "1", notes: "As shown." }],
  [
    "what an addition would merge into was changed",
    MERGE,
    { quantity: "500" },
    { symbol: "JUNK", quantity: "500", notes: "As shown." },
  ],
  ["what it sets was set", NOTES, { notes: "My own." }, { symbol: "JUNK", quantity: "1", notes: "My own." }],
  [
    "the stock to delete was changed",
    DELETION,
    { quantity: "500" },
    { symbol: "JUNK", quantity: "500", notes: "As shown." },
  ],
] as const)("changes nothing once %s", async ([, call, meanwhile, left], { expect }) => {
  const { end, items } = await allowedAfter(call, meanwhile);
  expect(end).toMatchObject({
    status: "failed",
    output: `${left.symbol} has changed since this change was shown, so nothing was changed. Read it again, then call the tool again.`,
  });
  expect(items).toEqual([left]);
});

it("an addition that may merge says so, and shows what it would change", async ({ expect }) => {
  const person = somebody();
  await person.action("add-stock", { symbol: "JUNK", quantity: "1" });
  const items = [{ symbol: "junk", quantity: "2" }, { symbol: "AMZN" }];
  const model = await scriptModel(inject("modelUrl"), [
    callTool("add-stock", { items, onConflict: "update" }),
    callTool("add-stock", { items: items.slice(1), onConflict: "skip" }),
    say("Done."),
  ]);
  const { runId } = await person.startTurn("t", model.prompt("Take over my file"));
  const asked = ofType(await person.followAllowing(runId), "permission_request");
  expect(asked).toMatchObject([
    { title: "Add or change 2 stocks", subject: { before: [{ symbol: "JUNK", quantity: "1" }] } },
    { title: "Add 1 stock" },
  ]);
  expect(asked[1]?.subject).not.toHaveProperty("before");
  expect(List.parse(await person.action("list-stocks", {})).items).toMatchObject([
    { symbol: "AMZN", quantity: null },
    { symbol: "JUNK", quantity: "2" },
  ]);
});

it("sets a field beside one that was set meanwhile: neither is what the other showed", async ({ expect }) => {
  const { end, items } = await allowedAfter(NOTES, { quantity: "500" });
  expect(end).toMatchObject({ status: "completed" });
  expect(items).toEqual([{ symbol: "JUNK", quantity: "500", notes: "Of the agent." }]);
});

it("sets a price that moved meanwhile: prices move without the person", async ({ expect }) => {
  const price = (id: string) => callTool("update-stock", { id, set: { lastPrice: "7" } });
  const { end } = await allowedAfter(price, { lastPrice: "5" });
  expect(end).toMatchObject({ status: "completed" });
});
