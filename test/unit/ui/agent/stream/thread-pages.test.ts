/** The pages of a long thread's list: the newest at once, older ones on demand. */
import { expect, it } from "vitest";
import { eventsOf, finished, listed, openThread, page, RUNS } from "../support/open-thread.ts";
import { status, stream } from "../support/stream-server.ts";

const OLDER = `${RUNS}&cursor=c1`;

type Snapshot = { readonly runs: readonly { readonly connection: { readonly state: string } | undefined }[] };

/** Whether so many runs are shown, all of them read. */
const isRead = ({ runs }: Snapshot, count: number): boolean =>
  runs.length === count && runs.every(({ connection }) => connection?.state === "closed");

/** Runs `r<from>` up to `r<to>`, and their streams. */
const history = (from: number, to: number) => {
  const runs = Array.from({ length: to - from + 1 }, (_, index) => listed(`r${from + index}`));
  return { runs, streams: Object.fromEntries(runs.map(({ runId }) => [eventsOf(runId), [finished(runId)]])) };
};

const idsOf = (runs: readonly { readonly runId: string }[]): string[] => runs.map(({ runId }) => runId);

it("reads the newest page and the newest runs at first, and others on demand, one page ahead", async () => {
  const { runs, streams } = history(10, 43);
  const { thread, until, world } = await openThread({
    ...streams,
    [RUNS]: [page(runs.slice(14), "c1"), page([...runs.slice(15), listed("r44")], "c2")],
    [OLDER]: [page(runs.slice(0, 14))],
    [eventsOf("r44")]: [finished("r44")],
  });
  await until(() => isRead(thread.getSnapshot(), 10));
  expect(idsOf(thread.getSnapshot().runs)).toEqual(idsOf(runs.slice(24)));
  expect(world.asked.slice(1, 4)).toEqual(["r43", "r42", "r41"].map((id) => `${eventsOf(id)}?after=0`));
  expect(world.asked.filter((path) => path.startsWith(RUNS))).toEqual([RUNS]);
  thread.showOlder();
  await until(() => isRead(thread.getSnapshot(), 20));
  expect(world.asked.filter((path) => path.startsWith(RUNS))).toEqual([RUNS, OLDER]);
  expect(thread.getSnapshot().hasOlder).toBe(true);
  thread.showOlder();
  await until(() => isRead(thread.getSnapshot(), 30));
  expect(thread.getSnapshot().hasOlder).toBe(true);
  thread.showOlder();
  await until(() => isRead(thread.getSnapshot(), 34));
  expect(idsOf(thread.getSnapshot().runs)).toEqual(idsOf(runs));
  expect(thread.getSnapshot().hasOlder).toBe(false);
  thread.addRun({ runId: "r44", events: eventsOf("r44") });
  await until(() => thread.getSnapshot().runs.at(-1)?.createdAt !== undefined);
  expect(idsOf(thread.getSnapshot().runs)).toEqual([...idsOf(runs), "r44"]);
  expect(world.asked.filter((path) => path.startsWith(RUNS))).toEqual([RUNS, OLDER, RUNS]);
});

it("shows what is on the next page to whoever asked for more than is known", async () => {
  const { runs, streams } = history(10, 23);
  const { thread, until } = await openThread({
    ...streams,
    [RUNS]: [page(runs.slice(11), "c1")],
    [OLDER]: [page(runs.slice(0, 11))],
  });
  await until(() => isRead(thread.getSnapshot(), 10));
  expect(idsOf(thread.getSnapshot().runs)).toEqual(idsOf(runs.slice(4)));
  expect(thread.getSnapshot().hasOlder).toBe(true);
});

it("reads an older page again that could not be read, once somebody asks for it", async () => {
  const { runs, streams } = history(10, 33);
  const { thread, until } = await openThread({
    ...streams,
    [RUNS]: [page(runs.slice(4), "c1")],
    [OLDER]: [status(503), page(runs.slice(0, 4))],
  });
  await until(() => isRead(thread.getSnapshot(), 10));
  await expect
    .poll(() => {
      thread.showOlder();
      return idsOf(thread.getSnapshot().runs);
    })
    .toEqual(idsOf(runs));
});

it("reads back to the runs that it knows, however many were started elsewhere", async () => {
  const { runs, streams } = history(1, 4);
  const { thread, until, world } = await openThread({
    ...streams,
    [RUNS]: [page(runs.slice(0, 1)), page([...runs.slice(2), listed("r5", "running")], "c1")],
    [OLDER]: [page(runs.slice(0, 2))],
    [eventsOf("r5")]: [stream()],
  });
  await until(() => isRead(thread.getSnapshot(), 1));
  thread.addRun({ runId: "r5", events: eventsOf("r5"), prompt: "five" });
  await until(() => thread.getSnapshot().runs.length === 5);
  expect(idsOf(thread.getSnapshot().runs)).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  expect(world.asked.filter((path) => path.startsWith(RUNS))).toEqual([RUNS, RUNS, OLDER]);
});

it("keeps an older page that has come while the known runs were read again", async () => {
  const { runs, streams } = history(10, 43);
  const { promise: isLate, resolve: answerNow } = Promise.withResolvers<void>();
  const again = page([...runs.slice(14, 33), { ...listed("r43"), replaced: true }], "c1");
  const { thread, until, world } = await openThread({
    ...streams,
    [RUNS]: [page(runs.slice(14), "c1"), (...exchange) => void isLate.then(() => again(...exchange))],
    [OLDER]: [page(runs.slice(0, 14))],
  });
  await until(() => isRead(thread.getSnapshot(), 10));
  world.hide();
  world.show();
  thread.showOlder();
  thread.showOlder();
  await until(() => isRead(thread.getSnapshot(), 30));
  answerNow();
  await until(() => thread.getSnapshot().runs.at(-1)?.isReplaced === true);
  expect(idsOf(thread.getSnapshot().runs)).toEqual(idsOf(runs.slice(4)));
});

it("knows that the chat has gone back to before a run of an earlier page", async () => {
  const [r1, r2] = [listed("r1"), listed("r2")];
  const { thread, until, world } = await openThread({
    [RUNS]: [page([r2], "c1")],
    [OLDER]: [page([r1]), page([{ ...r1, replaced: true }]), page([{ ...r1, undone: true }])],
    [eventsOf("r1")]: [finished("one")],
    [eventsOf("r2")]: [finished("two")],
  });
  await until(() => isRead(thread.getSnapshot(), 2));
  thread.reconnect();
  expect(world.asked.at(-1)).toBe(RUNS);
  await until(() => thread.getSnapshot().runs[0]?.isReplaced === true);
  world.hide();
  world.show();
  expect(world.asked.at(-1)).toBe(RUNS);
  await until(() => thread.getSnapshot().runs[0]?.isUndone === true);
});
