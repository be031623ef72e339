/** A stock's history names the chat that shows what the agent did, for as long as there is one (api.md §5). */
import { expect, it } from "vitest";
import { z } from "zod";
import { callTool, say } from "../../support/model-script.ts";
import { chat } from "../../support/workerd/chat.ts";

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });
const Forked = z.object({ threadId: z.string() });
const History = z.object({ events: z.array(z.looseObject({ threadId: z.string().optional() })) });

it("the chat itself, then a branch that shows the turn too, and none once both are deleted", async () => {
  const { person, thread, ...talk } = await chat([
    callTool("add-stock", { symbol: "AAPL" }),
    say("Added."),
    say("Two."),
  ]);
  await talk.allowed("Add Apple");
  await talk.handedOver();
  await talk.turns("And now?");
  const { runs } = Runs.parse((await person.ask("GET", `${person.threadPath(thread)}/runs`)).body);
  const chatOfHistory = async () => {
    const { body } = await person.ask("POST", "/_framework/actions/get-stock", { symbol: "AAPL" });
    return History.parse(body).events.map(({ threadId }) => threadId);
  };
  expect(await chatOfHistory()).toEqual([thread]);

  const forked = await person.ask("POST", `${person.threadPath(thread)}/fork`, { beforeRunId: runs[1]?.runId });
  const { threadId: branch } = Forked.parse(forked.body);
  expect(await chatOfHistory()).toEqual([thread]);
  await person.ask("DELETE", person.threadPath(thread));
  expect(await chatOfHistory()).toEqual([branch]);
  await person.ask("DELETE", person.threadPath(branch));
  expect(await chatOfHistory()).toEqual([undefined]);
});
