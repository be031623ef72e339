/** Going back, or branching, to before the turn in which the agent had to begin anew: what is listed is no longer sent, and that is said. */
import { expect, it } from "vitest";
import { z } from "zod";
import { say } from "../../support/model-script.ts";
import { fail } from "../../support/model-troubles.ts";
import { chat } from "../../support/workerd/chat.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";

const refused = () => fail(400, "invalid_request_error", "messages.1: something nobody thought of");

const Started = z.object({ runId: z.string() });

/** A chat whose second turn is accepted alone, and the id of that turn. */
const begunAnew = async () => {
  const talk = await chat([
    say("One."),
    refused(),
    refused(),
    say("Alone."),
    say("Again."),
    say("Once more."),
    say("Yet again."),
  ]);
  const first = Started.parse(await talk.start("First words"));
  expectWhole(await talk.person.follow(`/_framework/runs/${first.runId}/events`), "completed");
  await talk.handedOver();
  const { runId } = Started.parse(await talk.start("Second words"));
  expectWhole(await talk.person.follow(`/_framework/runs/${runId}/events`), "completed");
  await talk.handedOver();
  const lead = async (how: "fork" | "rewind", beforeRunId: string, threadId = talk.thread) => {
    const { status, body } = await talk.person.ask("POST", `${talk.person.threadPath(threadId)}/${how}`, {
      beforeRunId,
    });
    expect(status).toBe(200);
    return body;
  };
  /** Branches before that turn; the branch's id. */
  const fork = async (beforeRunId: string, threadId?: string): Promise<string> =>
    z.object({ threadId: z.string() }).parse(await lead("fork", beforeRunId, threadId)).threadId;
  /** The next turn there. */
  const next = async (threadId: string) => {
    const { runId: id } = await talk.person.startTurn(threadId, talk.model.prompt("Next words"));
    const events = await talk.person.follow(`/_framework/runs/${id}/events`);
    expectWhole(events, "completed");
    return { id, events };
  };
  return { ...talk, first: first.runId, second: runId, lead, fork, next };
};

const REASON = "The agent started over after this point, so it does not know the earlier conversation.";

it("is said by the next turn, each time", async () => {
  const { lead, next, second, thread, handedOver } = await begunAnew();
  await lead("rewind", second);
  const { id, events } = await next(thread);
  expect(theOnly(events, "context_reset").reason).toBe(REASON);
  await handedOver();
  await lead("rewind", id);
  expect(theOnly((await next(thread)).events, "context_reset").reason).toBe(REASON);
});

it("is said in a branch, each time, and in a branch of that", async () => {
  const { lead, fork, next, second, handedOver } = await begunAnew();
  const branch = await fork(second);
  const { id, events } = await next(branch);
  expect(theOnly(events, "context_reset").reason).toBe(REASON);
  await handedOver();
  const deeper = await fork(id, branch);
  await lead("rewind", id, branch);
  for (const threadId of [branch, deeper])
    expect(theOnly((await next(threadId)).events, "context_reset").reason).toBe(REASON);
});

it("is not said once the person has gone back to before all of it", async () => {
  const { lead, next, first, second, thread } = await begunAnew();
  await lead("rewind", second);
  await lead("rewind", first);
  expect((await next(thread)).events.map(({ type }) => type)).not.toContain("context_reset");
});

it("is not said in a branch, either, once the person has gone back to before all of it", async () => {
  const { lead, fork, next, first, second, handedOver } = await begunAnew();
  const [told, untold] = [await fork(second), await fork(second)];
  await next(told);
  await handedOver();
  for (const branch of [told, untold]) {
    await lead("rewind", first, branch);
    expect((await next(branch)).events.map(({ type }) => type)).not.toContain("context_reset");
  }
});

it("is not said where nothing came before", async () => {
  const talk = await chat([say("One."), say("Again.")]);
  const { runId } = Started.parse(await talk.start("First words"));
  expectWhole(await talk.person.follow(`/_framework/runs/${runId}/events`), "completed");
  await talk.handedOver();
  await talk.person.ask("POST", `${talk.person.threadPath(talk.thread)}/rewind`, { beforeRunId: runId });
  const again = await talk.person.follow((await talk.start("Again")).events);
  expectWhole(again, "completed");
  expect(again.map(({ type }) => type)).not.toContain("context_reset");
});
