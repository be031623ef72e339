/** The agent is told what its person has undone: once, with the next turn of each chat that lists the run (api.md §10). */
import { env } from "cloudflare:test";
import { describe, it } from "vitest";
import { z } from "zod";
import { ThreadRunView } from "../../../src/contract/thread.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import { callTool, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { type Body, chat } from "../../support/workerd/chat.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { postUndo } from "../../support/workerd/undo-client.ts";

const WORDS = "The person has undone changes that you made in answer to";

const Forked = z.object({ body: z.object({ threadId: z.string() }) });

const Listed = z.object({ body: z.object({ runs: z.array(ThreadRunView) }) });

/** A chat whose first turn changed a stock and a file; the other replies are for the turns after it. */
const changed = async (...later: readonly Reply[]) => {
  const talk = await chat(
    [
      callTool("add-stock", { symbol: "WRNG", name: "Wrong", currency: "USD" }),
      callTool("edit_file", { path: "a.txt", oldText: "one", newText: "two" }),
      say("Done."),
      ...later,
    ],
    { "a.txt": "one\n" },
  );
  const { runId } = await talk.start("Change it all");
  await talk.person.followAllowing(runId);
  await talk.handedOver();
  const path = talk.person.threadPath(talk.thread);
  return {
    ...talk,
    runId,
    undo: (body = {}) => postUndo(talk.person, runId, body),
    rewind: async (beforeRunId: string) => await talk.person.ask("POST", `${path}/rewind`, { beforeRunId }),
    fork: async (beforeRunId: string) =>
      Forked.parse(await talk.person.ask("POST", `${path}/fork`, { beforeRunId })).body.threadId,
    /** How often each request says that something was undone. */
    told: async () => (await talk.calls()).map((body) => JSON.stringify(body).split(WORDS).length - 1),
  };
};

const lastOf = (bodies: readonly Body[]): Body => bodies.at(-1) ?? {};

describe("the next turn after an undo", () => {
  it("says what was undone, before its prompt; those after it repeat it as it was sent", async ({ expect }) => {
    const talk = await changed(say("Fine."), say("Still fine."));
    expect((await talk.undo()).status).toBe(200);
    const events = await talk.turn("And now?");
    expectWhole(events, "completed");
    expect(events).toContainEqual(expect.objectContaining({ type: "context_added", source: "undo" }));
    const second = lastOf(await talk.calls());
    const text = JSON.stringify(second);
    expect(text).toContain(JSON.stringify(`${WORDS} "Change it all`).slice(1, -1));
    expect(text).toContain(JSON.stringify('stock "WRNG": was taken out of the list').slice(1, -1));
    expect(text).toContain(JSON.stringify('file "a.txt": got its former content back').slice(1, -1));
    await talk.handedOver();
    const last = await talk.turn("Go on");
    expect(last).not.toContainEqual(expect.objectContaining({ type: "context_added" }));
    expect(whereItDiffers(second, lastOf(await talk.calls()))).toBeUndefined();
    expect((await talk.told()).slice(-2)).toEqual([1, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("says nothing where nothing could be undone", async ({ expect }) => {
    const talk = await chat([say("Hello."), say("Again.")]);
    const { runId } = await talk.start("Hi");
    await talk.person.follow(`/_framework/runs/${runId}/events`);
    await talk.handedOver();
    await postUndo(talk.person, runId);
    await talk.turn("Hi again");
    expect(JSON.stringify(lastOf(await talk.calls()))).not.toContain(WORDS);
  });

  it("is told again when more was undone", async ({ expect }) => {
    const talk = await changed(say("Fine."), say("Fine again."));
    await talk.undo({ only: { stocks: [], files: ["a.txt"] } });
    await talk.turn("And now?");
    await talk.handedOver();
    expect(JSON.stringify(lastOf(await talk.calls()))).not.toContain("was taken out of the list");
    await talk.undo();
    await talk.turn("And now?");
    expect((await talk.told()).slice(-2)).toEqual([1, 2]);
    expect(JSON.stringify(lastOf(await talk.calls()))).toContain("was taken out of the list");
  });

  it("is told what may have been undone where the undo was cut off", async ({ expect }) => {
    const talk = await changed(say("Fine."), say("Fine again."));
    planCrashes(talk.thread, ["before write", "before write"]);
    await talk.undo({ only: { stocks: [], files: ["a.txt"] } });
    await died(talk.thread);
    await talk.turn("And now?");
    expect(JSON.stringify(lastOf(await talk.calls()))).toMatch(/a\.txt.{0,4}: may have been undone/);
  });
});

describe("what was undone", () => {
  it("is told again once the turn that was told is gone back to before", async ({ expect }) => {
    const talk = await changed(say("Fine."), say("Fine again."), say("Once more."));
    await talk.undo();
    const second = await talk.start("And now?");
    await talk.person.follow(second.events);
    await talk.handedOver();
    expect((await talk.rewind(second.runId)).status).toBe(200);
    await talk.turn("Another question");
    await talk.handedOver();
    await talk.turn("And one more");
    expect((await talk.told()).slice(-2)).toEqual([1, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("of a turn that is gone back to before is not told", async ({ expect }) => {
    const talk = await changed(say("Fine."));
    await talk.rewind(talk.runId);
    await talk.undo();
    await talk.turn("Something else");
    expect(JSON.stringify(lastOf(await talk.calls()))).not.toContain(WORDS);
  });

  it("is told in a branch that has the turn, also when that is undone after the branching", async ({ expect }) => {
    const talk = await changed(say("Fine."), say("In the branch."), say("Again."));
    const second = await talk.start("And now?");
    await talk.person.follow(second.events);
    await talk.handedOver();
    const threadId = await talk.fork(second.runId);
    await talk.undo();
    const turn = await talk.person.startTurn(threadId, talk.model.prompt("In the branch?"));
    await talk.person.follow(turn.events);
    expect(JSON.stringify(lastOf(await talk.calls()))).toContain(WORDS);
  });

  it("is said in the list of each chat that has the turn", async ({ expect }) => {
    const talk = await changed(say("Fine."));
    const second = await talk.start("And now?");
    await talk.person.follow(second.events);
    await talk.handedOver();
    const branch = await talk.fork(second.runId);
    const listed = async (threadId: string) =>
      Listed.parse(await talk.person.ask("GET", `${talk.person.threadPath(threadId)}/runs`)).body.runs.map(
        ({ undone }) => undone,
      );
    await talk.undo({ dryRun: true });
    expect(await listed(talk.thread)).toEqual([undefined, undefined]);
    await talk.undo({ only: { stocks: [], files: ["a.txt"] } });
    expect(await listed(talk.thread)).toEqual([true, undefined]);
    expect(await listed(branch)).toEqual([true]);
  });

  it("goes with its run", async ({ expect }) => {
    const talk = await changed();
    await talk.undo();
    const noted = async () =>
      (await env.DB.prepare("SELECT 1 FROM undone_runs WHERE owner_email = ?").bind(talk.person.email).all()).results;
    expect(await noted()).toHaveLength(1);
    await talk.person.ask("DELETE", talk.person.threadPath(talk.thread));
    expect(await noted()).toEqual([]);
  });
});
