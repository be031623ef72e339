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
  const talk = await chat([say("One."), refused(), refused(), say("Alone."), say("Again."), say("Once more.")]);
  await talk.turn("First words");
  const { runId } = Started.parse(await talk.start("Second words"));
  expectWhole(await talk.person.follow(`/_framework/runs/${runId}/events`), "completed");
  await talk.handedOver();
  const lead = async (how: "fork" | "rewind", beforeRunId: string) => {
    const { status, body } = await talk.person.ask("POST", `${talk.person.threadPath(talk.thread)}/${how}`, {
      beforeRunId,
    });
    expect(status).toBe(200);
    return body;
  };
  /** The next turn there. */
  const next = async (threadId: string) => {
    const { runId: id } = await talk.person.startTurn(threadId, talk.model.prompt("Next words"));
    const events = await talk.person.follow(`/_framework/runs/${id}/events`);
    expectWhole(events, "completed");
    return { id, events };
  };
  return { ...talk, second: runId, lead, next };
};

const REASON = "The agent had begun anew behind this place, so it starts without the earlier conversation.";

it("is said by the next turn, each time", async () => {
  const { lead, next, second, thread, handedOver } = await begunAnew();
  await lead("rewind", second);
  const { id, events } = await next(thread);
  expect(theOnly(events, "context_reset").reason).toBe(REASON);
  await handedOver();
  await lead("rewind", id);
  expect(theOnly((await next(thread)).events, "context_reset").reason).toBe(REASON);
});

it("is said by the first turn of a branch", async () => {
  const { lead, next, second } = await begunAnew();
  const { threadId } = z.object({ threadId: z.string() }).parse(await lead("fork", second));
  expect(theOnly((await next(threadId)).events, "context_reset").reason).toBe(REASON);
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
