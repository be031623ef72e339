/** A turn from its POST to its last event, through the front door. */
import { inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { kinds, runClient } from "../../support/run-client.ts";
import { scriptModel } from "../../support/scripted-model.ts";

it("streams a turn to its end", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("list-stocks", {}), say("Nothing yet.")]);
  const client = runClient("a@example.com");
  const t0 = Date.now();
  const turn = await client.startTurn("t1", model.prompt("What do I own?"));
  console.log(turn, Date.now() - t0);
  const events = await client.events(turn.events);
  console.log(JSON.stringify(events, null, 1), Date.now() - t0);
  expect(kinds(events)).toEqual([]);
});
