/** A run that waits for something that never answers: it ends when its running time does, and at once when it is stopped. */
import { env } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { died, planCrashes, planHang } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { holdTimers } from "../../support/workerd/held-timers.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { endsOf, turnOnFiles } from "../../support/workerd/person-with-files.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

/** All of a run's running time, and after which its end is forced (run.md, Recovery; run.md, Aborting). */
const RUNNING_TIME_MS = 30 * 60_000;
const FORCED_END_MS = 10_000;

/** How often a running run is looked at (run.md, Driving). */
const LOOK_MS = 30_000;

/** Lets that much time pass, in which the run's alarm rings as it does. */
const runFor = async (
  ms: number,
  clock: ReturnType<typeof shiftedClock>,
  { wake }: Pick<Somebody, "wake">,
  runId: string,
): Promise<void> => {
  for (let passed = 0; passed < ms; passed += LOOK_MS) {
    clock.forward(LOOK_MS);
    await wake(runId);
  }
};

const EXPIRED = {
  status: "failed",
  stopReason: "error",
  error: { code: "run_expired", message: "The run used up its 30 minutes." },
};

const COMMAND = callTool("run_shell", { command: "echo hello" });

describe("a run that hangs", () => {
  it.for([
    ["finds out what to ask", COMMAND],
    ["reads a file", callTool("read_file", { path: "a.txt" })],
  ] as const)(
    "while it %s ends when its running time is used up, and nobody is said to have stopped it",
    async ([, call]) => {
      const clock = shiftedClock();
      const { reached } = planHang("workspace", "before stat");
      const { client, turn, toEnd } = await turnOnFiles({}, [call]);
      await reached;
      await runFor(RUNNING_TIME_MS, clock, client, turn.runId);
      const events = await toEnd();
      expectWhole(events, "failed");
      expect(theOnly(events, "run_end")).toMatchObject(EXPIRED);
      expect(endsOf(events)).toEqual([["aborted", "Not run: the run was stopped first."]]);
    },
  );

  it("while it finds out what to ask ends at once when it is stopped", async () => {
    // No alarm rings by itself, and none forces the end.
    shiftedClock().forward(2 * RUNNING_TIME_MS);
    const { reached } = planHang("workspace", "before stat");
    const { client, turn, toEnd } = await turnOnFiles({}, [COMMAND]);
    await reached;
    expect(await client.abort(turn.runId)).toMatchObject({ status: 200 });
    expectWhole(await toEnd(), "aborted");
  });

  it("while it loads its conversation after a crash ends when its running time is used up", async () => {
    const clock = shiftedClock();
    const model = await scriptModel(inject("modelUrl"), [say("Lost.")]);
    const client = somebody();
    planCrashes("loading", ["before closeMessage"]);
    const { runId, events } = await client.startTurn("loading", model.prompt("Hello"));
    await died("loading");
    const { reached } = planHang("session", "before load");
    const following = client.follow(events);
    await reached;
    await runFor(RUNNING_TIME_MS, clock, client, runId);
    const transcript = await following;
    expectWhole(transcript, "failed");
    expect(theOnly(transcript, "run_end")).toMatchObject(EXPIRED);
  });

  it("while it loads its conversation after a crash ends at once when it is stopped", async () => {
    const model = await scriptModel(inject("modelUrl"), [say("Lost.")]);
    const client = somebody();
    planCrashes("stopped loading", ["before closeMessage"]);
    const { runId, events } = await client.startTurn("stopped loading", model.prompt("Hello"));
    await died("stopped loading");
    const { reached } = planHang("session", "before load");
    const following = client.follow(events);
    await reached;
    // By this clock no end is forced.
    heldClock(Date.now());
    expect(await client.abort(runId)).toMatchObject({ body: { status: STOPPED_OR_STOPPING } });
    expectWhole(await following, "aborted");
  });

  it("while it looks into a lost change is ended by force 10 s after its running time", async () => {
    const clock = shiftedClock();
    planCrashes("lost change", ["before endCall"]);
    const change = callTool("write_file", { path: "new.txt", content: "new" });
    const { client, asked, decide, turn, toEnd } = await turnOnFiles({}, [change], "lost change");
    await decide(await asked(), "allow_once");
    await died("lost change");
    const { reached } = planHang("workspace", "before stat");
    await client.view(turn.runId);
    await reached;
    await runFor(RUNNING_TIME_MS, clock, client, turn.runId);
    clock.forward(FORCED_END_MS);
    await client.wake(turn.runId);
    const events = await toEnd();
    expectWhole(events, "failed");
    expect(theOnly(events, "run_end")).toMatchObject(EXPIRED);
    expect(endsOf(events)).toEqual([["unknown", expect.stringMatching(/not known/)]]);
  });

  it("where nothing can call it back is ended by force 10 s after its running time", async () => {
    const clock = shiftedClock();
    const model = await scriptModel(inject("modelUrl"), [say("Never kept.")]);
    const client = somebody();
    const { reached } = planHang("deaf", "before closeMessage");
    const { runId, events } = await client.startTurn("deaf", model.prompt("Hello"));
    await reached;
    await runFor(RUNNING_TIME_MS, clock, client, runId);
    clock.forward(FORCED_END_MS);
    await client.wake(runId);
    const transcript = await client.follow(events);
    expectWhole(transcript, "failed");
    expect(theOnly(transcript, "run_end")).toMatchObject(EXPIRED);
  });

  it("where nothing can call it back is answered that it is being stopped, however long that takes", async () => {
    const model = await scriptModel(inject("modelUrl"), [say("Never kept.")]);
    const client = somebody();
    const { reached } = planHang("deaf to a stop", "before closeMessage");
    const { runId } = await client.startTurn("deaf to a stop", model.prompt("Hello"));
    await reached;
    expect(await client.abort(runId)).toMatchObject({ status: 200, body: { status: "aborting" } });
  });
});

describe("a machine that sleeps during a turn", () => {
  it.for([
    ["does not use up its running time", 0, "running"],
    ["leaves it what it had not used before", RUNNING_TIME_MS - 4 * LOOK_MS, "running"],
    ["does not give it more", RUNNING_TIME_MS, "failed"],
  ] as const)("%s", async ([name, beforeMs, status]) => {
    const clock = shiftedClock();
    const model = await scriptModel(inject("modelUrl"), [say("Never kept.")]);
    const client = somebody();
    const { reached } = planHang(name, "before closeMessage");
    const { runId } = await client.startTurn(name, model.prompt("Hello"));
    await reached;
    await runFor(beforeMs, clock, client, runId);
    clock.forward(2 * RUNNING_TIME_MS);
    await client.wake(runId);
    await runFor(FORCED_END_MS, clock, client, runId);
    expect(await client.view(runId)).toMatchObject({ status });
  });
});

describe("a call that is never answered", () => {
  it("to the session, as a run hands over, is given up, and made again", async () => {
    const timers = holdTimers(30_000);
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
    const client = somebody();
    const { reached } = planHang("session", "before finish");
    const first = await client.startTurn("hand-over", model.prompt("First"));
    expectWhole(await client.follow(first.events), "completed");
    await reached;
    await timers.ring(env.RUNS.getByName(first.runId));
    const second = await client.startTurn("hand-over", "Second");
    expectWhole(await client.follow(second.events), "completed");
    expect(JSON.stringify((await model.requests())[1]?.body)).toContain("One.");
  });

  it("to the session, as a run takes its place, does not hold up the answer to its start", async () => {
    const timers = holdTimers(10_000);
    const model = await scriptModel(inject("modelUrl"), [say("One.")]);
    const client = somebody();
    const { reached } = planHang("session", "before enqueue");
    const starting = client.startTurn("place", model.prompt("First"));
    await reached;
    const { results } = await env.DB.prepare("SELECT run_id FROM runs WHERE owner_email = ?").bind(client.email).all();
    const runId = String(results[0]?.run_id);
    await timers.ring(env.RUNS.getByName(runId));
    const { events } = await starting;
    await client.wake(runId);
    expectWhole(await client.follow(events), "completed");
  });

  it("to the workspace fails the tool's call, and the run continues", async () => {
    const timers = holdTimers(30_000);
    const { reached } = planHang("workspace", "before stat");
    const { turn, toEnd } = await turnOnFiles({}, [COMMAND, say("Then not.")]);
    await reached;
    await timers.ring(env.RUNS.getByName(turn.runId));
    const events = await toEnd();
    expectWhole(events, "completed");
    expect(endsOf(events)).toEqual([["failed", expect.stringMatching(/cannot be reached/)]]);
  });
});
