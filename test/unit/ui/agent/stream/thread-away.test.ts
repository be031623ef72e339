/** What a thread learns of what happened elsewhere, and while its page was away. */
import { expect, it } from "vitest";
import { frames, messageEnd, messageStart, numbered, runStart, userMessage } from "../support/events.ts";
import { eventsOf, listed, live, openThread, page, queued, RUNS } from "../support/open-thread.ts";
import { stream } from "../support/stream-server.ts";

it("looks for the runs that one of its own waits behind, when it does not know them", async () => {
  const { thread, until, world, texts } = await openThread({
    [RUNS]: [page([]), page([listed("r1", "waiting_permission"), listed("r2", "queued")])],
    [eventsOf("r1")]: [live],
    [eventsOf("r2")]: [queued],
  });
  await until(() => thread.getSnapshot().list.state === "ready");
  thread.addRun({ runId: "r2", events: eventsOf("r2"), prompt: "later" });
  await until(() => texts().length === 2);
  await until(() => texts().flat().length === 2);
  expect(texts()).toEqual([["go on"], ["later"]]);
  expect(world.asked.filter((path) => path.startsWith(RUNS))).toHaveLength(2);
});

it.each([
  ["in a hidden page", 60_000, { isAgain: false }, true],
  ["just now", 0, { isAgain: false }, false],
  ["by a message that was sent before, without an answer", 0, { isAgain: true }, true],
])(
  "says of a run that was started %s what was missed before its stream opened",
  async (_, hiddenMs, again, isMissed) => {
    const { thread, until, world, texts, missedUntilMs } = await openThread({
      [RUNS]: [page([])],
      [eventsOf("r1")]: [stream(frames(numbered([runStart(), userMessage("go on")])))],
    });
    await until(() => thread.getSnapshot().list.state === "ready");
    world.hide();
    thread.addRun({ runId: "r1", events: eventsOf("r1"), ...again });
    await until(() => thread.getSnapshot().runs[0]?.connection?.state === "paused");
    world.advance(hiddenMs);
    const back = world.nowMs();
    world.show();
    await until(() => texts().flat().length === 1);
    expect(missedUntilMs).toEqual([isMissed ? back - 10_000 : 0]);
  },
);

it("says of a listed run what was missed while its page was in the background from the start", async () => {
  const { thread, until, world, texts, missedUntilMs } = await openThread({
    [RUNS]: [page([listed("r1", "running")])],
    [eventsOf("r1")]: [live],
  });
  world.hide();
  await until(() => thread.getSnapshot().runs[0]?.connection?.state === "paused");
  world.advance(60_000);
  const back = world.nowMs();
  world.show();
  await until(() => texts().flat().length === 1);
  expect(missedUntilMs).toEqual([back - 10_000]);
});

it.each([
  ["a long look elsewhere", 60_000, true],
  ["a short one", 10_000, false],
])("says after %s what was missed", async (_, awayMs, isMissed) => {
  const events = numbered([runStart(), userMessage("go on"), messageStart("m1"), messageEnd("m1", "re: go on")]);
  const { thread, until, world, texts, missedUntilMs } = await openThread({
    [RUNS]: [page([listed("r1", "running")])],
    [eventsOf("r1")]: [stream(frames(events.slice(0, 2))), stream(frames(events.slice(2)))],
  });
  await until(() => texts().flat().length === 1);
  expect(missedUntilMs).toEqual([0]);
  world.isPhoneThatSleeps = true;
  world.hide();
  await until(() => thread.getSnapshot().runs[0]?.connection?.state === "paused");
  world.advance(awayMs);
  const back = world.nowMs();
  world.show();
  await until(() => texts().flat().length === 2);
  expect(missedUntilMs.at(-1)).toBe(isMissed ? back - 10_000 : 0);
});
