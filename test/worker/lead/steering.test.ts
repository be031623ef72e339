/** `POST /_framework/runs/<run_id>/messages`: a person says something while a run works (api.md §2). */
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { RunObject } from "../../../src/run/run-object.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTool, callTools, message, say, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore, holdMidStream } from "../../support/model-troubles.ts";
import { type ScriptedModel, scriptModel } from "../../support/scripted-model.ts";
import { type Answer, answerOf } from "../../support/workerd/answer.ts";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { sdkThread } from "../../support/workerd/sdk-thread.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const Messages = z.array(
  z.object({ role: z.string(), content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) }),
);

const ID = /^[0-9a-f-]{36}$/;

/** A new person's turn, just started, and how they speak to it. */
const startedTurn = async (replies: readonly Reply[]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const person = somebody();
  const turn = await person.startTurn("t", model.prompt("First"));
  return { model, person, ...turn, say: sayTo(person, turn.runId) };
};

const sayTo =
  (person: ReturnType<typeof somebody>, runId: string) =>
  async (text: string, key?: string): Promise<Answer> =>
    answerOf(
      await person.post(
        `/_framework/runs/${runId}/messages`,
        { text },
        key === undefined ? {} : { "Idempotency-Key": key },
      ),
    );

/** What the nth request's last message holds, by the kinds of its blocks, and the text at its end. */
const lastSaid = async (model: ScriptedModel, nth: number) => {
  const bodies = (await model.requests()).map(({ body }) => body);
  const last = Messages.parse(bodies[nth - 1]?.messages).at(-1);
  return { role: last?.role, kinds: last?.content.map(({ type }) => type), text: last?.content.at(-1)?.text };
};

const differences = async (model: ScriptedModel) => {
  const bodies = (await model.requests()).map(({ body }) => body);
  return bodies.slice(1).map((body, index) => whereItDiffers(bodies[index] ?? {}, body));
};

describe("a message to a run that works", () => {
  it("is given to the model with all results of the step, last in their message, and once", async ({ expect }) => {
    const reads = message([
      thought("I look."),
      toolUse({ name: "list-stocks", input: {} }),
      toolUse({ name: "view-screen", input: {} }),
    ]);
    const { model, person, events, say: tell } = await startedTurn([holdBefore(reads), say("I see.")]);
    await model.reaches(1, "held");
    const answer = await tell("Only tech stocks");
    expect(answer).toEqual({ status: 200, body: { messageId: expect.stringMatching(ID) } });
    await model.release();
    const transcript = await person.follow(events);
    expectWhole(transcript, "completed");
    const { messageId } = theOnly(transcript, "steer_message");
    expect(answer.body).toEqual({ messageId });
    expect(theOnly(transcript, "steer_message").text).toBe("Only tech stocks");
    expect(theOnly(transcript, "steer_applied")).toMatchObject({ messageId, step: 2 });
    expect(kinds(transcript).slice(-6)).toEqual([
      ...["tool_end", "steer_applied", "message_start", "text_delta", "message_end", "run_end"],
    ]);
    expect(await lastSaid(model, 2)).toEqual({
      role: "user",
      kinds: ["tool_result", "tool_result", "text"],
      text: expect.stringMatching(/^\[The person sent this while you were working\..*\]\n\nOnly tech stocks$/s),
    });
    await model.add([say("Yes.")]);
    await person.runToEnd("t", "And now?");
    const [, , third] = await model.requests();
    expect(JSON.stringify(third?.body).split("Only tech stocks")).toHaveLength(2);
    expect(await differences(model)).toEqual([undefined, undefined]);
    expect(await model.violations()).toEqual([]);
  });

  it("that comes while the model ends its turn adds a step", async ({ expect }) => {
    const { model, person, events, say: tell } = await startedTurn([holdMidStream("Before. ", "After."), say("Ah.")]);
    await model.reaches(1, "held");
    await tell("One more thing");
    await model.release();
    const transcript = await person.follow(events);
    expectWhole(transcript, "completed");
    expect(theOnly(transcript, "steer_applied").step).toBe(2);
    expect(theOnly(transcript, "run_end").steps).toBe(2);
    expect(await lastSaid(model, 2)).toMatchObject({ role: "user", kinds: ["text"] });
    expect(await differences(model)).toEqual([undefined]);
    expect(await model.violations()).toEqual([]);
  });

  it("answers no permission request: it waits until that is decided, and follows the result", async ({ expect }) => {
    const script = [callTool("add-stock", { symbol: "AAPL" }), say("Added.")];
    const { model, person, runId, events, say: tell } = await startedTurn(script);
    const asked = theOnly(await person.eventsUntil(events, "permission_request"), "permission_request");
    await tell("Yes, allow it");
    expect(await person.view(runId)).toMatchObject({ status: "waiting_permission" });
    expect((await person.view(runId)).pendingPermissions).toHaveLength(1);
    await person.decide(runId, asked.requestId, { decision: "reject" });
    const transcript = await person.follow(events);
    expectWhole(transcript, "completed");
    expect(theOnly(transcript, "tool_end").status).toBe("denied");
    expect(await lastSaid(model, 2)).toMatchObject({ kinds: ["tool_result", "text"] });
    expect(await model.violations()).toEqual([]);
  });

  it("that waits in the queue is given to the model with its prompt", async ({ expect }) => {
    const { model, person, events } = await startedTurn([holdBefore(say("One.")), say("Two.")]);
    const second = await person.startTurn("t", "Second");
    await model.reaches(1, "held");
    await sayTo(person, second.runId)("Briefly");
    await model.release();
    await person.follow(events);
    const transcript = await person.follow(second.events);
    expectWhole(transcript, "completed");
    expect(kinds(transcript).slice(0, 5)).toEqual([
      ...["run_queued", "user_message", "steer_message", "run_start", "steer_applied"],
    ]);
    expect(theOnly(transcript, "steer_applied").step).toBe(1);
    expect(await lastSaid(model, 2)).toMatchObject({ text: expect.stringContaining("Briefly") });
    expect(await model.violations()).toEqual([]);
  });

  it("that waits in the queue is given back when its run is stopped there", async ({ expect }) => {
    const { model, person, events } = await startedTurn([holdBefore(say("One.")), say("Three.")]);
    const second = await person.startTurn("t", "Second");
    await model.reaches(1, "held");
    await sayTo(person, second.runId)("Briefly");
    await person.abort(second.runId);
    const stopped = await person.follow(second.events);
    expectWhole(stopped, "aborted");
    expect(kinds(stopped)).toEqual(["run_queued", "user_message", "steer_message", "steer_dropped", "run_end"]);
    await model.release();
    await person.follow(events);
    await person.runToEnd("t", "Third");
    expect(JSON.stringify((await model.requests()).at(-1)?.body)).not.toContain("Briefly");
    expect(await model.violations()).toEqual([]);
  });

  it("is given back when the run is stopped first", async ({ expect }) => {
    const { model, person, runId, events, say: tell } = await startedTurn([holdMidStream("Before. ", "After.")]);
    await model.reaches(1, "held");
    await tell("Too late");
    await person.abort(runId);
    const transcript = await person.follow(events);
    expectWhole(transcript, "aborted");
    expect(theOnly(transcript, "steer_dropped").messageId).toBe(theOnly(transcript, "steer_message").messageId);
    expect(kinds(transcript).slice(-2)).toEqual(["steer_dropped", "run_end"]);
    expect(await tell("And now?")).toEqual({ status: 409, body: { error: "The run has ended." } });
    await model.add([say("Hello again.")]);
    await person.runToEnd("t", "Go on");
    expect(JSON.stringify((await model.requests()).at(-1)?.body)).not.toContain("Too late");
  });

  it("is stored once under its key, also when the run has ended meanwhile", async ({ expect }) => {
    const { model, person, events, say: tell } = await startedTurn([holdBefore(say("One.")), say("Two.")]);
    await model.reaches(1, "held");
    const first = await tell("Briefly", "k1");
    expect(await tell("Briefly", "k1")).toEqual(first);
    expect(await tell("At length", "k1")).toEqual({
      status: 422,
      body: { error: "Idempotency key was used with a different request." },
    });
    await model.release();
    expect(ofType(await person.follow(events), "steer_message")).toHaveLength(1);
    expect(await tell("Briefly", "k1")).toEqual(first);
    expect(await tell("Briefly", "k2")).toMatchObject({ status: 409 });
  });

  it("is stored once although the object goes away before it answers, and no key was sent", async ({ expect }) => {
    const {
      model,
      person,
      events,
      say: tell,
    } = await startedTurn([holdBefore(say("Lost.")), say("One."), say("Two.")]);
    await model.reaches(1, "held");
    let calls = 0;
    aroundMethod(RunObject.prototype, "steer", async (self, _, steer) => {
      const answer = steer();
      calls += 1;
      if (calls > 1) return answer;
      const ctx: DurableObjectState = Reflect.get(self, "ctx");
      await ctx.storage.sync();
      ctx.abort("The object went away.");
      return await new Promise(() => undefined);
    });
    const answer = await tell("Briefly");
    expect([answer.status, calls]).toEqual([200, 2]);
    const transcript = await person.follow(events);
    expect({ messageId: theOnly(transcript, "steer_message").messageId }).toEqual(answer.body);
    expectWhole(transcript, "completed");
  });

  it("is refused as the ninth of a run", async ({ expect }) => {
    const { model, person, events, say: tell } = await startedTurn([holdBefore(say("One.")), say("Two.")]);
    await model.reaches(1, "held");
    const answers = await Promise.all(Array.from({ length: 8 }, (_, nth) => tell(`Word ${nth}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await tell("Word 8")).toEqual({
      status: 429,
      body: { error: "This run has had 8 messages, the limit. Send a new turn." },
    });
    await model.release();
    expect(ofType(await person.follow(events), "steer_applied")).toHaveLength(8);
    expect(await model.violations()).toEqual([]);
  });

  it("is refused when it is empty, too long, or for a run that is somebody else's", async ({ expect }) => {
    const { model, person, events, runId, say: tell } = await startedTurn([holdBefore(callTools([])), say("One.")]);
    await model.reaches(1, "held");
    const problem = { status: 400, body: { error: "text: use 1 to 20,000 characters." } };
    expect([await tell("  "), await tell("x".repeat(20_001))]).toEqual([problem, problem]);
    const path = `/_framework/runs/${runId}/messages`;
    expect(await person.ask("POST", path, { text: "Mine", to: "you" })).toEqual({
      status: 400,
      body: { error: "to: unknown field, leave it out" },
    });
    const unknown = { status: 404, body: { error: "Run not found." } };
    expect(await sayTo(somebody(), runId)("Mine")).toEqual(unknown);
    expect(await sayTo(person, crypto.randomUUID())("Whose?")).toEqual(unknown);
    expect(await tell("x".repeat(20_000))).toMatchObject({ status: 200 });
    await model.release();
    expectWhole(await person.follow(events), "completed");
  });

  it("is refused by an agent that takes none", async ({ expect }) => {
    const turn = await sdkThread().start("[hang]");
    const path = `/_framework/runs/${turn.runId}/messages`;
    expect(await askAsDeveloper("POST", path, { text: "Wait" })).toEqual({
      status: 409,
      body: { error: "This agent takes no messages while it works. Send it as the next turn, or stop the run." },
    });
    await turn.abort();
  });
});
