/** A thread rebuilt from its list and its runs' streams, over a real server. */
import { expect, it } from "vitest";
import { frames, numbered, runEnd, runStart, userMessage } from "../support/events.ts";
import { eventsOf, finished, listed, live, openThread, page, queued, RUNS } from "../support/open-thread.ts";
import { cutPage, foreignPage, OURS, status, stream, streamToEnd } from "../support/stream-server.ts";

const isSettled = ({ runs }: { runs: readonly { connection: { state: string } | undefined }[] }): boolean =>
  runs.length > 0 && runs.every(({ connection }) => connection?.state === "closed");

it("rebuilds a finished thread from its runs, oldest first", async () => {
  const { thread, until, texts, liveKinds } = await openThread({
    [RUNS]: [page([listed("r1"), listed("r2")])],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [finished("two")],
  });
  await until(() => isSettled(thread.getSnapshot()));
  expect(texts()).toEqual([
    ["one", "re: one"],
    ["two", "re: two"],
  ]);
  expect(thread.getSnapshot().list).toEqual({ state: "ready" });
  expect(liveKinds).toEqual([]);
});

it("follows the live run, and reads what waits behind it without staying there", async () => {
  const waiting = ["q1", "q2", "q3", "q4"];
  const { thread, until, states, texts, liveKinds } = await openThread({
    [RUNS]: [page([listed("r1", "running"), ...waiting.map((id) => listed(id, "queued"))])],
    [eventsOf("r1")]: [live],
    ...Object.fromEntries(waiting.map((id) => [eventsOf(id), [queued]])),
  });
  await until(
    () => states().join() === `r1 open,${waiting.map((id) => `${id} undefined`)}` && texts().flat().length === 5,
  );
  expect(texts()).toEqual([["go on"], ["later"], ["later"], ["later"], ["later"]]);
  expect(thread.getSnapshot().runs[4]?.transcript.queuePosition).toBe(1);
  expect(liveKinds.filter((kind) => kind.startsWith("r1"))).toEqual(["r1 run_start", "r1 user_message"]);
});

it.each([
  ["a long run", "running", 30_001, [`${eventsOf("r1")}?after=3`]],
  ["a short one", "running", 30_000, []],
  ["one that was over before", "completed", 30_001, []],
])(
  "asks for more after the end of %s, so that nobody is notified of it",
  async (_, listedStatus, durationMs, asked) => {
    const events = numbered([runStart(), userMessage("go on"), runEnd("completed", null, durationMs)]);
    const { thread, until, world } = await openThread({
      [RUNS]: [page([listed("r1", listedStatus)])],
      [eventsOf("r1")]: [streamToEnd(frames(events)), status(204)],
    });
    await until(() => isSettled(thread.getSnapshot()));
    expect(world.asked.slice(2)).toEqual(asked);
  },
);

it("follows the next run once the one before it has ended", async () => {
  const { until, states, world } = await openThread({
    [RUNS]: [page([listed("r1", "running"), listed("q1", "queued"), listed("q2", "queued")])],
    [eventsOf("r1")]: [finished("go on")],
    [eventsOf("q1")]: [queued],
    [eventsOf("q2")]: [queued],
  });
  await until(() => states().join() === "r1 closed,q1 open,q2 undefined");
  expect(world.asked.filter((path) => path.startsWith(eventsOf("q2")))).toEqual([`${eventsOf("q2")}?after=0`]);
});

it("reads a waiting run that was stopped elsewhere once the list says so", async () => {
  const { thread, until, states, texts } = await openThread({
    [RUNS]: [
      page([listed("r1", "running"), listed("q1", "queued")]),
      page([listed("r1", "running"), listed("q1", "aborted")]),
    ],
    [eventsOf("r1")]: [live],
    [eventsOf("q1")]: [queued, streamToEnd(frames(numbered([runEnd("aborted")], 3)))],
  });
  await until(() => states().join() === "r1 open,q1 undefined" && texts().flat().length === 2);
  thread.reconnect();
  await until(() => states().join() === "r1 open,q1 closed");
  expect(thread.getSnapshot().runs[1]?.transcript.status).toBe("aborted");
});

it("reads a waiting run at once when somebody waits for its end", async () => {
  const { thread, until, states, texts, world } = await openThread({
    [RUNS]: [page([listed("r1", "running"), ...["q1", "q2", "q3"].map((id) => listed(id, "queued"))])],
    [eventsOf("r1")]: [live],
    [eventsOf("q1")]: [queued],
    [eventsOf("q2")]: [queued],
    [eventsOf("q3")]: [queued, streamToEnd(frames(numbered([runEnd("aborted")], 3)))],
  });
  await until(() => states().at(-1) === "q3 undefined" && texts().flat().length === 4);
  thread.followFirst("q3");
  await until(() => states().at(-1) === "q3 closed");
  expect(thread.getSnapshot().runs[3]?.transcript.status).toBe("aborted");
  expect(world.asked).toContain(`${eventsOf("q3")}?after=2`);
});

it("asks again for what was refused after a new sign-in", async () => {
  const { thread, until, texts } = await openThread({
    [RUNS]: [page([listed("r1")])],
    [eventsOf("r1")]: [status(401), finished("one")],
  });
  await until(() => isSettled(thread.getSnapshot()));
  expect(thread.getSnapshot().runs[0]?.connection).toEqual({ state: "closed", reason: "signed_out" });
  thread.reconnect();
  await until(() => texts().flat().length === 2);
  expect(texts()).toEqual([["one", "re: one"]]);
});

it("shows a run that was just started once, whether the list names it or not", async () => {
  const { thread, until, texts } = await openThread({
    [RUNS]: [page([listed("r1")]), page([listed("r1"), listed("r2", "running")])],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [stream()],
  });
  thread.addRun({ runId: "r2", events: eventsOf("r2"), prompt: "two" });
  expect(texts()).toEqual([["two"]]);
  await until(() => texts().length === 2);
  thread.reconnect();
  await until(() => thread.getSnapshot().runs[1]?.createdAt !== undefined);
  thread.addRun({ runId: "r2", events: eventsOf("r2"), prompt: "two" });
  await until(() => texts().flat().length === 3);
  expect(texts()).toEqual([["one", "re: one"], ["two"]]);
});

it("finds the runs that were started elsewhere before one that was started here", async () => {
  const { thread, until, world, texts } = await openThread({
    [RUNS]: [page([listed("r1")]), page([listed("r1"), listed("r2"), listed("r3", "running")])],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [finished("two")],
    [eventsOf("r3")]: [stream()],
  });
  await until(() => isSettled(thread.getSnapshot()));
  thread.addRun({ runId: "r3", events: eventsOf("r3"), prompt: "three" });
  expect(world.asked.at(-1)).toBe(RUNS);
  await until(() => texts().flat().length === 5);
  expect(texts()).toEqual([["one", "re: one"], ["two", "re: two"], ["three"]]);
});

it("shows a run whose log is gone as that", async () => {
  const { thread, until } = await openThread({
    [RUNS]: [page([listed("r1"), listed("r2")])],
    [eventsOf("r1")]: [status(410, OURS)],
    [eventsOf("r2")]: [status(404, OURS)],
  });
  await until(() => isSettled(thread.getSnapshot()));
  expect(thread.getSnapshot().runs.map(({ connection }) => connection)).toEqual([
    { state: "closed", reason: "expired" },
    { state: "closed", reason: "not_found" },
  ]);
});

it("is missing for a thread that the server does not know, until it has a run", async () => {
  const { thread, until, world } = await openThread({
    [RUNS]: [status(404, OURS), page([listed("r1")])],
    [eventsOf("r1")]: [finished("one")],
  });
  await until(() => thread.getSnapshot().list.state !== "loading");
  expect(thread.getSnapshot()).toEqual({ list: { state: "missing" }, runs: [], hasOlder: false });
  world.hide();
  world.show();
  await until(() => thread.getSnapshot().runs.length === 1);
  expect(thread.getSnapshot().list).toEqual({ state: "ready" });
});

it("is missing once it was deleted elsewhere, and keeps only what has just begun under its id", async () => {
  const { thread, until, world, states, texts } = await openThread({
    [RUNS]: [page([listed("r1"), listed("r2", "running")]), status(404, OURS), status(404, OURS)],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [live],
    [eventsOf("r3")]: [stream()],
  });
  await until(() => texts().flat().length === 3);
  world.hide();
  world.show();
  await until(() => thread.getSnapshot().list.state === "missing");
  expect(thread.getSnapshot()).toEqual({ list: { state: "missing" }, runs: [], hasOlder: false });
  thread.addRun({ runId: "r3", events: eventsOf("r3"), prompt: "three" });
  expect(world.asked.filter((path) => path === RUNS)).toHaveLength(3);
  await until(() => states()[0] === "r3 open");
  expect(texts()).toEqual([["three"]]);
});

it("shows nothing of a chat that was deleted elsewhere and begun again under its id", async () => {
  const { until, world, texts } = await openThread({
    [RUNS]: [page([listed("r1"), listed("r2", "running")]), page([listed("r3")])],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [live],
    [eventsOf("r3")]: [finished("three")],
  });
  await until(() => texts().flat().length === 3);
  world.hide();
  world.show();
  await until(() => texts().flat().includes("re: three"));
  expect(texts()).toEqual([["three", "re: three"]]);
});

it.each([
  ["an error", 503, 503],
  ["a 404 of something in between", 404, undefined],
])("says that the list failed by %s, and tries again", async (_, answered, said) => {
  const { thread, until, world } = await openThread({
    [RUNS]: [status(answered), page([listed("r1")])],
    [eventsOf("r1")]: [finished("one")],
  });
  await until(() => thread.getSnapshot().list.state === "failed");
  expect(thread.getSnapshot().list).toEqual({ state: "failed", status: said });
  world.advance(2_000);
  await until(() => isSettled(thread.getSnapshot()));
  expect(thread.getSnapshot().list).toEqual({ state: "ready" });
});

it.each([
  ["was cut", cutPage],
  ["is not the server's", foreignPage],
])("tries again after a list that %s", async (_, reply) => {
  const { thread, until, world } = await openThread({
    [RUNS]: [reply, page([listed("r1")])],
    [eventsOf("r1")]: [finished("one")],
  });
  await until(() => thread.getSnapshot().list.state === "failed");
  expect(thread.getSnapshot().list).toEqual({ state: "failed", status: undefined });
  expect(world.waitsMs).toEqual([2_000]);
  world.advance(2_000);
  await until(() => isSettled(thread.getSnapshot()));
  expect(thread.getSnapshot().list).toEqual({ state: "ready" });
});

it("finds runs that were started elsewhere when the page is seen again", async () => {
  const { thread, until, world, texts } = await openThread({
    [RUNS]: [page([listed("r1")]), page([listed("r1"), listed("r2")])],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [finished("two")],
  });
  await until(() => isSettled(thread.getSnapshot()));
  world.hide();
  world.show();
  await until(() => texts().flat().length === 4);
  expect(texts()).toEqual([
    ["one", "re: one"],
    ["two", "re: two"],
  ]);
});

it("ends everything it began when it is closed, and keeps what it has", async () => {
  const { thread, until, world, texts } = await openThread({
    [RUNS]: [page([listed("r1", "running")])],
    [eventsOf("r1")]: [live],
  });
  await until(() => texts().flat().length === 1);
  thread.close();
  expect(world.listenerCount).toBe(0);
  expect(world.waitsMs).toEqual([]);
  expect(texts()).toEqual([["go on"]]);
});

it("gives the same snapshot until something changes", async () => {
  const { thread, until } = await openThread({ [RUNS]: [page([listed("r1")])], [eventsOf("r1")]: [finished("one")] });
  await until(() => isSettled(thread.getSnapshot()));
  const before = thread.getSnapshot();
  expect(thread.getSnapshot()).toBe(before);
  thread.addRun({ runId: "r2", events: eventsOf("r2") });
  expect(thread.getSnapshot().runs[0]).toBe(before.runs[0]);
});
