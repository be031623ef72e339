/** Files and commands through crashes and aborts: done once, or said to be unknown, and never done twice (run.md, Recovery). */
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { writeAborting } from "../../../src/run/stop-run.ts";
import { Ledger } from "../../../src/run/store/ledger.ts";
import { callTool, say } from "../../support/model-script.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { endsOf, turnOnFiles } from "../../support/workerd/person-with-files.ts";
import { nextCommand } from "../../support/workerd/watched-workspace.ts";
import { write } from "../../support/workspace/workspace-under-test.ts";

const FILES = { "log.txt": "0\n", "gone.txt": "bye\n" };

/** Doubles: whoever does it twice shows it, and so does who appends twice. */
const APPEND = callTool("edit_file", { path: "log.txt", oldText: "0\n", newText: "0\n0\n", replaceAll: true });
const COMMAND = callTool("run_shell", { command: "echo 1 >> log.txt; cat log.txt" });

const UNKNOWN = /not known/;

/** After these a stopped run's end is forced (run.md, Aborting): with a loop of its own, and at last without one. */
const FORCED_END_MS = 10_000;
const LAST_END_MS = 60_000;

/** Ends the object of a run as a crash does, in the middle of whatever it waits for. */
const killRun = async (runId: string): Promise<void> => {
  await runInDurableObject(env.RUNS.getByName(runId), (_, ctx) => ctx.abort("Killed.")).catch(() => undefined);
};

/** Ends it right after it has written that it is to stop, `agoMs` ago by its clock, and before it has told anybody. */
const killStopping = async (runId: string, agoMs: number): Promise<void> => {
  const killed = runInDurableObject(env.RUNS.getByName(runId), async (_, ctx) => {
    writeAborting(new Ledger(ctx.storage, Date.now), Date.now() - agoMs);
    await ctx.storage.sync();
    ctx.abort("Killed.");
  });
  await killed.catch(() => undefined);
};

describe("a change of a file, when the run's object dies", () => {
  it.for<CrashPoint>([
    "before ask",
    "after ask",
    "before markStarted",
    "after markStarted",
    "before endCall",
    "after endCall",
  ])("%s, is made once", async (point, { expect }) => {
    const threadId = `edit ${point}`;
    planCrashes(threadId, [point]);
    const { allowed, textOf, model } = await turnOnFiles(FILES, [APPEND, say("Done.")], threadId);
    const events = await allowed();
    expectWhole(events, "completed");
    await died(threadId);
    expect(endsOf(events)).toEqual([["completed", "Changed log.txt."]]);
    expect(theOnly(events, "file_change")).toMatchObject({
      diff: Object(theOnly(events, "permission_request").subject).diff,
    });
    expect(await textOf("log.txt")).toBe("0\n0\n");
    expect(await model.violations()).toEqual([]);
  });

  it.for([
    ["write_file", { path: "new.txt", content: "new" }, "create"],
    ["delete_file", { path: "gone.txt" }, "delete"],
  ] as const)("behind the effect of %s, is known to be made", async ([name, input, operation], { expect }) => {
    const threadId = `behind ${name}`;
    planCrashes(threadId, ["before endCall"]);
    const { allowed } = await turnOnFiles(FILES, [callTool(name, input), say("Done.")], threadId);
    const events = await allowed();
    expect(theOnly(events, "file_change")).toMatchObject({ operation });
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "completed" });
  });
});

describe("a command, when the run's object dies", () => {
  it.for<CrashPoint>(["before ask", "after ask", "before markStarted"])("%s, runs once", async (point, { expect }) => {
    const threadId = `command ${point}`;
    planCrashes(threadId, [point]);
    const { allowed, textOf } = await turnOnFiles(FILES, [COMMAND, say("Done.")], threadId);
    expect(endsOf(await allowed())).toEqual([["completed", "Exit code 0.\nstdout:\n0\n1"]]);
    await died(threadId);
    expect(await textOf("log.txt")).toBe("0\n1\n");
  });

  it("between its start and its first step, never runs and is unknown", async ({ expect }) => {
    const threadId = "command after markStarted";
    planCrashes(threadId, ["after markStarted"]);
    const { allowed, textOf } = await turnOnFiles(FILES, [COMMAND, say("Done.")], threadId);
    const events = await allowed();
    expectWhole(events, "completed");
    expect(endsOf(events)).toEqual([["unknown", expect.stringMatching(UNKNOWN)]]);
    expect(await textOf("log.txt")).toBe("0\n");
  });

  it("after its end, has run once and ends with its true result", async ({ expect }) => {
    const threadId = "command before endCall";
    planCrashes(threadId, ["before endCall"]);
    const { allowed, textOf } = await turnOnFiles(FILES, [COMMAND, say("Done.")], threadId);
    expect(endsOf(await allowed())).toEqual([["completed", "Exit code 0.\nstdout:\n0\n1"]]);
    expect(await textOf("log.txt")).toBe("0\n1\n");
  });

  it("while it runs, is waited for and not run again", async ({ expect }) => {
    const begun = nextCommand();
    const waiting = "echo 1 >> log.txt; until [ -e go ]; do sleep 0.02; done; cat log.txt";
    const slow = callTool("run_shell", { command: waiting });
    const { allowed, textOf, turn, workspace } = await turnOnFiles(FILES, [slow, say("Done.")]);
    const reading = allowed();
    await begun;
    await killRun(turn.runId);
    await write(workspace, "go", "");
    const events = await reading;
    expectWhole(events, "completed");
    expect(ofType(events, "run_start")).toHaveLength(2);
    expect(endsOf(events)).toEqual([["completed", "Exit code 0.\nstdout:\n0\n1"]]);
    expect(await textOf("log.txt")).toBe("0\n1\n");
  });
});

describe("a workspace that dies", () => {
  it.for([
    ["before write", APPEND, "unknown", "0\n"],
    ["after write", APPEND, "completed", "0\n0\n"],
    ["before run", COMMAND, "unknown", "0\n"],
    ["after run", COMMAND, "completed", "0\n1\n"],
  ] as const)(
    "%s leaves nothing done twice, and says what is known",
    async ([point, call, status, text], { expect }) => {
      const { asked, decide, toEnd, textOf } = await turnOnFiles(FILES, [call, say("Done.")]);
      const request = await asked();
      planCrashes("workspace", [point]);
      await decide(request, "allow_once");
      const events = await toEnd();
      expectWhole(events, "completed");
      await died("workspace");
      expect(theOnly(events, "tool_end").status).toBe(status);
      expect(await textOf("log.txt")).toBe(text);
    },
  );
});

describe("an abort", () => {
  it("ends a running command; what it printed and that it was stopped is in the transcript", async ({ expect }) => {
    const begun = nextCommand();
    const long = callTool("run_shell", { command: "echo begun; sleep 60; echo 2 >> log.txt" });
    const { asked, decide, toEnd, client, turn, textOf } = await turnOnFiles(FILES, [long]);
    await decide(await asked(), "allow_once");
    await begun;
    await client.abort(turn.runId);
    const events = await toEnd();
    expectWhole(events, "aborted");
    expect(endsOf(events)).toEqual([["unknown", expect.stringMatching(/^Stopped: /)]]);
    expect(await textOf("log.txt")).toBe("0\n");
  });

  it("of a turn that waits leaves the file as it is", async ({ expect }) => {
    const { asked, toEnd, client, turn, textOf } = await turnOnFiles(FILES, [APPEND]);
    await asked();
    await client.abort(turn.runId);
    const events = await toEnd();
    expectWhole(events, "aborted");
    expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["aborted"]);
    expect(await textOf("log.txt")).toBe("0\n");
  });

  it("whose object dies before it could tell the workspace still ends the command", async ({ expect }) => {
    const begun = nextCommand();
    const long = callTool("run_shell", { command: "echo begun; sleep 60; echo 2 >> log.txt" });
    const { asked, decide, toEnd, turn, textOf } = await turnOnFiles(FILES, [long]);
    await decide(await asked(), "allow_once");
    await begun;
    await killStopping(turn.runId, 0);
    const events = await toEnd();
    expectWhole(events, "aborted");
    expect(endsOf(events)).toEqual([["unknown", expect.stringMatching(/^Stopped: /)]]);
    expect(await textOf("log.txt")).toBe("0\n");
  });

  it("that nobody asks about until its end would be forced ends the command too", async ({ expect }) => {
    const begun = nextCommand();
    const long = callTool("run_shell", { command: "echo begun; sleep 60; echo 2 >> log.txt" });
    const { asked, decide, toEnd, turn, textOf } = await turnOnFiles(FILES, [long]);
    await decide(await asked(), "allow_once");
    await begun;
    await killStopping(turn.runId, FORCED_END_MS);
    await runDurableObjectAlarm(env.RUNS.getByName(turn.runId));
    const events = await toEnd();
    expectWhole(events, "aborted");
    expect(endsOf(events)).toEqual([["unknown", expect.stringMatching(/^Stopped: /)]]);
    expect(await textOf("log.txt")).toBe("0\n");
  });

  it("that could not be ended in a minute is ended by force", async ({ expect }) => {
    const begun = nextCommand();
    const long = callTool("run_shell", { command: "echo begun; sleep 60; echo 2 >> log.txt" });
    const { asked, decide, toEnd, turn } = await turnOnFiles(FILES, [long]);
    await decide(await asked(), "allow_once");
    await begun;
    await killStopping(turn.runId, LAST_END_MS);
    await runDurableObjectAlarm(env.RUNS.getByName(turn.runId));
    const events = await toEnd();
    expectWhole(events, "aborted");
    expect(endsOf(events)).toEqual([["unknown", expect.stringMatching(UNKNOWN)]]);
  });
});
