/** What runs and threads cost, as the lists of threads and of a thread's runs tell it (api.md §7). */
import { env } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { OwnerEmail, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { CostUsd } from "../../../src/contract/run.ts";
import { ThreadRunView, ThreadView } from "../../../src/contract/thread.ts";
import { openDb } from "../../../src/db/db.ts";
import { titleThread } from "../../../src/db/list/thread-titles.ts";
import { say } from "../../support/model-script.ts";
import { errorMidStream, holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const Threads = z.object({ threads: z.array(ThreadView) });
const Runs = z.object({ runs: z.array(ThreadRunView) });

/** A scripted message costs this unless it says otherwise, and one that is dropped after its start this. */
const WHOLE = "0.00007";

const threadCosts = async (client: Somebody) =>
  Threads.parse((await client.ask("GET", "/_framework/threads")).body).threads.map(
    ({ threadId, costUsd }) => [threadId, costUsd] as const,
  );

const runCosts = async (client: Somebody, threadId: string) =>
  Runs.parse((await client.ask("GET", `${client.threadPath(threadId)}/runs`)).body).runs.map(({ costUsd }) => costUsd);

it("are there as soon as a run is over, a thread's being the sum", async ({ expect }) => {
  const dear = { usage: { input: 1_000_000, output: 123, cacheRead: 1 } };
  const model = await scriptModel(inject("modelUrl"), [
    say("One."),
    errorMidStream("Half"),
    say("Two."),
    say("3", dear),
  ]);
  const client = somebody();
  await client.runToEnd("a", model.prompt("1"));
  expect(await threadCosts(client)).toEqual([["a", WHOLE]]);
  await client.runToEnd("a", model.prompt("2"));
  await client.runToEnd("b", model.prompt("3"));
  expect(await runCosts(client, "a")).toEqual([WHOLE, "0.0001"]);
  expect(await threadCosts(client)).toEqual([
    ["b", "2.0012301"],
    ["a", "0.00017"],
  ]);
});

it("are not known of a run that lives, and count for nothing in its thread", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), holdMidStream("Two", "!")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("1"));
  const live = await client.startTurn("t", model.prompt("2"));
  await client.eventsUntil(live.events, "text_delta");
  expect(await runCosts(client, "t")).toEqual([WHOLE, null]);
  expect(await threadCosts(client)).toEqual([["t", WHOLE]]);
});

describe("where nothing is known", () => {
  it("are null: runs of an earlier version have no cost in D1", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
    const client = somebody();
    const turn = await client.startTurn("t", model.prompt("1"));
    await client.events(turn.events);
    await client.wake(turn.runId);
    await env.DB.prepare("DELETE FROM run_costs WHERE run_id = ?").bind(turn.runId).run();
    expect(await runCosts(client, "t")).toEqual([null]);
    expect(await threadCosts(client)).toEqual([["t", null]]);
    await client.runToEnd("t", model.prompt("2"));
    expect(await runCosts(client, "t")).toEqual([null, WHOLE]);
    expect(await threadCosts(client)).toEqual([["t", WHOLE]]);
  });
});

it("are the exact sum of what no binary number holds exactly", async ({ expect }) => {
  const usage = { input: 0, output: 0, cacheRead: 1 };
  const model = await scriptModel(
    inject("modelUrl"),
    Array.from({ length: 3 }, () => say("Hi.", { usage })),
  );
  const client = somebody();
  await Promise.all(["1", "2", "3"].map((prompt) => client.runToEnd("t", model.prompt(prompt))));
  expect(await threadCosts(client)).toEqual([["t", "0.0000003"]]);
});

it("go with their thread, that of its title too", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  const gone = await client.startTurn("t", model.prompt("1"));
  await client.events(gone.events);
  await client.wake(gone.runId);
  const first = {
    ...{ runId: RunId.parse(gone.runId), threadId: ThreadId.parse("t") },
    ...{ ownerEmail: OwnerEmail.parse(client.email), prompt: "1" },
  };
  await titleThread(openDb(env.DB), first, "T", { costUsd: CostUsd.parse("1"), day: undefined });
  expect(await threadCosts(client)).toEqual([["t", "1.00007"]]);
  const kept = await client.startTurn("kept", model.prompt("2"));
  await client.events(kept.events);
  await client.ask("DELETE", client.threadPath("t"));
  const rows = await env.DB.prepare("SELECT thread_id FROM run_costs WHERE owner_email = ?").bind(client.email).all();
  await client.wake(kept.runId);
  expect(rows.results.filter((row) => row.thread_id === "t")).toEqual([]);
  expect(await threadCosts(client)).toEqual([["kept", WHOLE]]);
});
