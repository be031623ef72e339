/** A deliberate crash between every two steps that run.md names: the run continues, nothing is lost, nothing happens twice. */
import { describe, inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { runClient } from "../../support/workerd/run-client.ts";

/** A turn that reads, then adds a stock after being allowed, then speaks: it passes every step. */
const script = () => [
  callTool("list-stocks", {}),
  callTool("add-stock", { symbol: "AAPL", quantity: "10" }),
  say("Added."),
  // One more: a crash in the middle of an answer has the model asked again.
  say("Added."),
];

describe("a run whose object dies", () => {
  it.for<CrashPoint>([
    "before openMessage",
    "after openMessage",
    "before closeMessage",
    "after closeMessage",
    "before endCall",
    "after endCall",
    "before ask",
    "after ask",
    "before markStarted",
    "after markStarted",
    "before send session",
    "after send session",
    "before send index",
    "after send index",
  ])("goes on when it dies %s", async (point, { expect }) => {
    const threadId = `crash ${point}`;
    const model = await scriptModel(inject("modelUrl"), script());
    const client = runClient(`${point.replaceAll(" ", "-").toLowerCase()}@example.com`);
    planCrashes(threadId, [point]);
    const turn = await client.startTurn(threadId, model.prompt("Add 10 AAPL"));
    const events = await client.followAllowing(turn.runId);
    expectWhole(events, "completed");
    expect(await client.follow(turn.events)).toEqual(events);
    expect(await client.action("list-stocks", {})).toMatchObject({
      items: [{ symbol: "AAPL", quantity: "10", version: 1, updatedVia: "agent" }],
      total: 1,
    });
    // The thread goes on: its next turn gets its place, and the model knows what happened before.
    await model.add([say("You have AAPL.")]);
    expectWhole(await client.runToEnd(threadId, "What do I own?"), "completed");
    await died(threadId);
    const request = (await model.requests()).at(-1);
    expect(JSON.stringify(request?.body).split("Add 10 AAPL")).toHaveLength(2);
    expect(await model.violations()).toEqual([]);
  });
});

describe("a session whose object dies", () => {
  it.for<CrashPoint>(["before enqueue", "after enqueue", "before load", "after load", "before finish", "after finish"])(
    "costs nothing when it dies %s",
    async (point, { expect }) => {
      const threadId = `session crash ${point}`;
      const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
      const client = runClient("session@example.com");
      planCrashes("session", [point]);
      const first = await client.startSurely(threadId, model.prompt("First"));
      await client.wake(first.runId);
      expectWhole(await client.follow(first.events), "completed");
      const second = await client.startSurely(threadId, "Second");
      await client.wake(second.runId);
      // The next case has the same plan: nothing of this one may come to its session by then.
      expectWhole(await handedOver(await client.follow(second.events)), "completed");
      await died("session");
      const [, request] = await model.requests();
      expect(JSON.stringify(request?.body).split("First")).toHaveLength(2);
      expect(await model.violations()).toEqual([]);
    },
  );
});
