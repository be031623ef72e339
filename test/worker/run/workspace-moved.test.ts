/** A thread that continues in another directory: clients and the model are told, and what was allowed stays with the directory. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { insertLostStart } from "../../support/workerd/lost-start.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { turnOnFiles } from "../../support/workerd/person-with-files.ts";
import type { ReceivedEvent } from "../../support/workerd/run-client.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { sdkThread, sessionOf } from "../../support/workerd/sdk-thread.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { workedEarlierIn, workedIn } from "../../support/workerd/worked-in.ts";

it.for([
  ["this", workedIn],
  ["an earlier", workedEarlierIn],
] as const)(
  "a thread resumed under another directory than by %s release says so in run_start and to the model, once",
  async ([, worked]) => {
    const client = somebody();
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
    const first = theOnly(await client.runToEnd("t", model.prompt("One")), "run_start");
    expect(first).not.toHaveProperty("previousWorkspaceDir");
    // What a restart under another AGENT_WORKSPACE_DIR finds.
    await worked(client.email, '/old/"place"');
    const second = theOnly(await client.runToEnd("t", model.prompt("Two")), "run_start");
    expect(second).toMatchObject({ workspaceDir: first.workspaceDir, previousWorkspaceDir: '/old/"place"' });
    const third = theOnly(await client.runToEnd("t", model.prompt("Three")), "run_start");
    expect(third).not.toHaveProperty("previousWorkspaceDir");
    // Said once, and sent again with the turn it belongs to.
    const prompts = (await model.requests()).map(({ body }) => JSON.stringify(Object(body).messages));
    expect(prompts.map((prompt) => prompt.split("another directory").length - 1)).toEqual([0, 1, 1]);
    expect(prompts[1]).toContain(JSON.stringify(JSON.stringify('/old/"place"')).slice(1, -1));
  },
);

it("a thread whose first turn after the move was stopped in the queue says so in the next one, once", async () => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("Hel", "lo."), say("Two."), say("Three.")]);
  const first = await thread.start(model.prompt("One"), "anthropic");
  await model.reaches(1, "held");
  thread.moveTo("/another");
  const stopped = await thread.start(model.prompt("Stop"), "anthropic");
  await stopped.abort();
  await model.release();
  const { workspaceDir } = theOnly(await first.handedOver(), "run_start");
  const second = await (await thread.start(model.prompt("Two"), "anthropic")).handedOver();
  expect(theOnly(second, "run_start")).toMatchObject({
    ...{ workspaceDir: "/another", previousWorkspaceDir: workspaceDir },
  });
  expect(ofType(second, "context_added")).toMatchObject([{ source: "workspace", path: "/another" }]);
  const third = await (await thread.start(model.prompt("Three"), "anthropic")).handedOver();
  expect(theOnly(third, "run_start")).not.toHaveProperty("previousWorkspaceDir");
  const prompts = (await model.requests()).map(({ body }) => JSON.stringify(Object(body).messages));
  expect(prompts.map((prompt) => prompt.split("another directory").length - 1)).toEqual([0, 1, 1]);
});

it("a turn that dies after it has said so says so in its next attempt", async () => {
  const client = somebody();
  const threadId = crypto.randomUUID();
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Lost."), say("Two.")]);
  await client.runToEnd(threadId, model.prompt("One"));
  await workedIn(client.email, "/old");
  planCrashes(threadId, ["after openMessage"]);
  const { events } = await client.startTurn(threadId, model.prompt("Two"));
  const starts = ofType(await client.follow(events), "run_start");
  expect(starts.map(({ attempt, previousWorkspaceDir }) => [attempt, previousWorkspaceDir])).toEqual([
    [1, "/old"],
    [2, "/old"],
  ]);
});

/** Whoever asks where sign-in is off. */
const DEVELOPER = "dev@local.test";

const DENIED = expect.stringMatching(/^The workspace is another directory now\./);

const decidersOf = (events: readonly ReceivedEvent[]) => ofType(events, "permission_reply").map(({ by }) => by);

/** A prompt after which the model runs a command that no rule can cover, then `exit 3`, then another one. */
const PROMPTS = {
  "agent-sdk": async () => "[replay:commands] Run them",
  anthropic: async () => {
    const run = (command: string) => callTool("run_shell", { command });
    const model = await scriptModel(inject("modelUrl"), [
      run("exit 2; true"),
      run("exit 3"),
      run("exit 4; true"),
      say("Done."),
    ]);
    return model.prompt("Run them");
  },
} as const;

/** A thread in which running `exit 3` is allowed for always. */
const withRule = async (thread = sdkThread()) => {
  const run = await thread.start(await PROMPTS.anthropic(), "anthropic");
  const first = await run.decideNext(0, "reject");
  const second = await run.decideNext(first.seq, "allow_always");
  await run.decideNext(second.seq, "reject");
  return { thread, events: await run.handedOver() };
};

/** Who decides about the first two commands of a turn. */
const decidersIn = async (thread: ReturnType<typeof sdkThread>, harness: keyof typeof PROMPTS) =>
  await decidersOfRun(await thread.start(await PROMPTS[harness](), harness));

const decidersOfRun = async (run: Awaited<ReturnType<ReturnType<typeof sdkThread>["start"]>>) => {
  const first = await run.decideNext(0, "reject");
  await run.decideNext(first.seq, "reject");
  await run.abort();
  return decidersOf(await run.handedOver()).slice(0, 2);
};

describe.for(["anthropic", "agent-sdk"] as const)("with %s", (harness) => {
  it("a rule for a command covers it in the directory in which it was made, and in no other", async () => {
    const [{ thread: stays }, { thread: moves }] = [await withRule(), await withRule()];
    expect(await decidersIn(stays, harness)).toEqual(["user", "rule"]);
    moves.moveTo("/another");
    expect(await decidersIn(moves, harness)).toEqual(["user", "user"]);
  });

  it("a rule for a command in durable storage does not cover it in the real directory of the same name", async () => {
    const thread = sdkThread();
    thread.moveToStorage("/home/ann/project");
    await withRule(thread);
    expect(await decidersIn(thread, "anthropic")).toEqual(["user", "rule"]);
    thread.moveTo("/home/ann/project");
    expect(await decidersIn(thread, harness)).toEqual(["user", "user"]);
  });

  it("a command that was shown for one directory does not run in another, and nothing more is asked", async () => {
    const thread = sdkThread();
    const run = await thread.start(await PROMPTS[harness](), harness);
    await run.eventsUntil("permission_request");
    thread.moveTo("/another");
    await run.decideNext(0, "allow_once");
    const events = await run.handedOver();
    expectWhole(events, "completed");
    expect(ofType(events, "tool_end")).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: "denied", output: DENIED })),
    );
    expect(decidersOf(events)).toEqual(["user"]);
  });
});

/** A thread in which an earlier release allowed `exit 3` for always: the rule names no directory. */
const withEarlierRule = async () => {
  const { thread, events } = await withRule();
  await runInDurableObject(sessionOf(events), (_, { storage }) =>
    storage.sql.exec("UPDATE rule SET scope = json_remove(scope, '$.workspaceDir')"),
  );
  return thread;
};

it("a rule of an earlier release, which names no directory, is of the one that the thread leaves", async () => {
  const thread = await withEarlierRule();
  expect(await decidersIn(thread, "anthropic")).toEqual(["user", "rule"]);
  thread.moveTo("/another");
  expect(await decidersIn(thread, "anthropic")).toEqual(["user", "user"]);
  expect(await decidersIn(thread, "anthropic")).toEqual(["user", "user"]);
  thread.moveTo(".");
  expect(await decidersIn(thread, "anthropic")).toEqual(["user", "rule"]);
});

it("nor does it count elsewhere where the start that moved the thread died on its way and is repeated", async () => {
  const thread = await withEarlierRule();
  thread.moveTo("/another");
  const prompt = await PROMPTS.anthropic();
  await insertLostStart(DEVELOPER, thread.threadId, prompt, { workspaceDir: "/another" });
  expect(await decidersOfRun(await thread.start(prompt, "anthropic", {}, thread.threadId))).toEqual(["user", "user"]);
});

it("nor where that start is never repeated", async () => {
  const thread = await withEarlierRule();
  thread.moveTo("/another");
  const prompt = await PROMPTS.anthropic();
  await insertLostStart(DEVELOPER, thread.threadId, prompt, { workspaceDir: "/another" });
  expect(await decidersIn(thread, "anthropic")).toEqual(["user", "user"]);
});

/** A turn that edits a file, where a directory beside the first one has the same file. */
const edited = async (threadId: string) => {
  const edit = (oldText: string, newText: string) => ({
    name: "edit_file",
    input: { path: "src/a.txt", oldText, newText },
  });
  planVariables(threadId, {});
  return await turnOnFiles(
    { "src/a.txt": "one\n", "beside/src/a.txt": "one\n" },
    [callTools([edit("one", "two")]), callTool("add-stock", { symbol: "AAPL" }), say("Done.")],
    threadId,
  );
};

it("an edit that was shown for one directory is not made in another; what is not of the workspace is", async () => {
  const threadId = crypto.randomUUID();
  const { asked, allowed, textOf } = await edited(threadId);
  await asked();
  planVariables(threadId, { AGENT_WORKSPACE_DIR: "beside" });
  const events = await allowed();
  expect(ofType(events, "tool_end")).toMatchObject([{ status: "denied", output: DENIED }, { status: "completed" }]);
  expect([await textOf("src/a.txt"), await textOf("beside/src/a.txt")]).toEqual(["one\n", "one\n"]);
  expectWhole(events, "completed");
});

it("an edit that had started in one directory when everything died is not made in another", async () => {
  const threadId = "moved on after a crash";
  const { asked, decide, allowed, textOf } = await edited(threadId);
  const request = await asked();
  planCrashes(threadId, ["after markStarted"]);
  await decide(request, "allow_once");
  await died(threadId);
  planVariables(threadId, { AGENT_WORKSPACE_DIR: "beside" });
  const events = await allowed();
  expect(ofType(events, "tool_end")).toMatchObject([{ status: "unknown" }, { status: "completed" }]);
  expect([await textOf("src/a.txt"), await textOf("beside/src/a.txt")]).toEqual(["one\n", "one\n"]);
});
