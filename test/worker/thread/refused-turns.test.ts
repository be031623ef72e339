/** A turn that the model has refused is never sent again, and what only it was told is told once more (decision 0218). */
import { describe, it } from "vitest";
import { callTool, refuse, say } from "../../support/model-script.ts";
import { type Body, chat } from "../../support/workerd/chat.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType } from "../../support/workerd/of-type.ts";
import { postUndo } from "../../support/workerd/undo-client.ts";
import { workedIn } from "../../support/workerd/worked-in.ts";

const LINE = "A turn is left out here, because the model refused it.";

/** How often each of these requests says the words. */
const counts = (bodies: readonly Body[], words: string) =>
  bodies.map((body) => JSON.stringify(body).split(words).length - 1);

describe("the turn after a refused one is told what only that one was told:", () => {
  it("what the person has undone", async ({ expect }) => {
    const talk = await chat([
      ...[callTool("add-stock", { symbol: "WRNG" }), say("Done.")],
      ...[refuse("I cannot."), say("Fine."), say("Still fine.")],
    ]);
    const { runId } = await talk.start("Add it");
    await talk.person.followAllowing(runId);
    await talk.handedOver();
    await postUndo(talk.person, runId, {});
    await talk.turns("Forbidden words");
    expect(ofType(await talk.turn("And now?"), "context_added")).toMatchObject([{ source: "undo" }]);
    await talk.handedOver();
    expect(ofType(await talk.turn("Go on"), "context_added")).toEqual([]);
    const words = "The person has undone changes that you made";
    expect(counts((await talk.calls()).slice(2), words)).toEqual([1, 1, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("that the project's rules are gone", async ({ expect }) => {
    const replies = [say("Moin."), refuse("I cannot."), say("Fine."), say("Still fine.")];
    const talk = await chat(replies, { "AGENTS.md": "Always say moin." });
    await talk.turns("First words");
    await talk.workspace.delete("AGENTS.md");
    await talk.turns("Forbidden words", "Third words", "Fourth words");
    expect(counts(await talk.calls(), "those given before no longer hold")).toEqual([0, 1, 1, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("that the thread has another directory", async ({ expect }) => {
    const talk = await chat([say("One."), refuse("I cannot."), refuse("No."), say("Fine."), say("Still fine.")]);
    await talk.turns("First words");
    await workedIn(talk.person.email, "/old");
    await talk.turns("Forbidden words", "Again", "Fourth words", "Fifth words");
    expect(counts(await talk.calls(), "You work in the new one")).toEqual([0, 1, 1, 1, 1]);
    expect(await talk.model.violations()).toEqual([]);
  });
});

it("a refused turn is left out although it was stopped before its end was written", async ({ expect }) => {
  const talk = await chat([refuse("I cannot."), say("Fine.")]);
  planCrashes(talk.thread, ["after closeMessage"]);
  const { runId, events } = await talk.start("Forbidden words");
  await died(talk.thread);
  await talk.person.abort(runId);
  expectWhole(await talk.person.follow(events), "aborted");
  await talk.handedOver();
  await talk.turn("Hello");
  const [, last] = await talk.calls();
  expect(JSON.stringify(last)).toContain(LINE);
  expect(JSON.stringify(last)).not.toContain("Forbidden words");
  expect(await talk.model.violations()).toEqual([]);
});
