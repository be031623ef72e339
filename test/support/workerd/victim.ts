/** A person with one of everything that a stranger could want to read or change. */
import { inject, vi } from "vitest";
import { z } from "zod";
import { callTool, say } from "../model-script.ts";
import { scriptModel } from "../scripted-model.ts";
import { theOnly } from "./of-type.ts";
import { somebody } from "./somebody.ts";

const Rules = z.object({ rules: z.array(z.unknown()) });

/** Longest wait for the permission to stand: below a test's own time-out. */
const WAIT = { timeout: 20_000 };

const Added = z.object({ stock: z.object({ id: z.string() }) });

/**
 * A stock, a thread, a run that waits for an answer, and a standing permission. Called inside a test, unless it is told how to
 * clean up later.
 */
export const aVictim = async (cleanUpLater?: (cleanUp: () => Promise<void>) => void) => {
  const client = somebody(cleanUpLater);
  const { stock } = Added.parse(await client.action("add-stock", { symbol: "AAPL", notes: "Mine alone" }));
  const model = await scriptModel(inject("modelUrl"), [
    callTool("add-stock", { symbol: "MSFT" }),
    callTool("delete-stock", { id: stock.id }),
    say("Done."),
  ]);
  const thread = "my/thread";
  const { runId, events } = await client.startTurn(thread, model.prompt("Private words"));
  const first = theOnly(await client.eventsUntil(events, "permission_request"), "permission_request");
  await client.decide(runId, first.requestId, { decision: "allow_always" });
  const later = await client.eventsUntil(`${events}?after=${first.seq}`, "permission_request");
  const { requestId } = theOnly(later, "permission_request");
  const rules = async () => Rules.parse((await client.ask("GET", `${client.threadPath(thread)}/rules`)).body).rules;
  // The run goes on before the session has it.
  await vi.waitUntil(async () => (await rules()).length > 0, WAIT);
  const ids: Readonly<Record<string, string>> = {
    run: runId,
    request: requestId,
    thread: encodeURIComponent(thread),
    // A rule keeps the id of the request that made it.
    rule: first.requestId,
    stock: stock.id,
  };
  return {
    client,
    /** Puts this person's ids in the place of `<run>`, `<request>`, `<thread>`, `<rule>` and `<stock>`. */
    fill: (text: string) => text.replace(/<(\w+)>/g, (all, name: string) => ids[name] ?? all),
    /** Everything that is this person's, as this person sees it. */
    belongings: async () => [
      await client.view(runId),
      await client.action("list-stocks", {}),
      (await client.ask("GET", "/_framework/threads")).body,
      (await client.ask("GET", `${client.threadPath(thread)}/rules`)).body,
    ],
  };
};

export type Victim = Awaited<ReturnType<typeof aVictim>>;
