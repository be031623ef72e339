/** A release whose alarms throw: nothing is forgotten, and the release that fixes it continues (run.md, Driving). */
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { SETTLE_MS } from "../../../src/account/delete-account.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import type { AccountDeletion } from "../../../src/db/deletion/open-deletion.ts";
import { OneAtATime } from "../../../src/quotes/object/one-at-a-time.ts";
import { RunStore } from "../../../src/run/store/run-store.ts";
import { ChatIndex } from "../../../src/search/chat-index.ts";
import { RunQueue } from "../../../src/session/run-queue.ts";
import { DeletedWorkspace } from "../../../src/workspace/durable/deleted-workspace.ts";
import { say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { deployBroken } from "../../support/workerd/deploy.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** Whether there was an alarm, which has rung. */
const ring = runDurableObjectAlarm;

const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

/** An account that is being deleted. */
const anOpenDeletion = async (): Promise<AccountDeletion> => {
  const deletion = { ownerEmail: OwnerEmail.parse(somebody().email), requestedAtMs: Date.now() };
  await requestDeletion(openDb(env.DB), deletion.ownerEmail, deletion.requestedAtMs);
  return deletion;
};

const failures = (log: ReturnType<typeof captureLog>) => log.lines({ level: "error", message: "An alarm failed." });

it("a run that died in such a release is brought back by its alarm", async () => {
  // Its alarm rings for the test alone.
  shiftedClock().forward(SETTLE_MS);
  const model = await scriptModel(inject("modelUrl"), [say("Lost."), say("Found.")]);
  const client = somebody();
  planCrashes("broken run", ["before closeMessage"]);
  const { runId, events } = await client.startTurn("broken run", model.prompt("Hello"));
  await died("broken run");
  const { mend } = await deployBroken(RunStore.prototype, "find");
  const log = captureLog();
  // A stub does not outlive the instance it was for.
  const run = () => env.RUNS.getByName(runId);
  expect(await ring(run())).toBe(true);
  expect(await alarmOf(run())).not.toBeNull();
  expect(await ring(run())).toBe(true);
  expect(await alarmOf(run())).not.toBeNull();
  // Other runs ring as well, and all of them are broken.
  expect(failures(log)).toContainEqual(
    expect.objectContaining({ object: "run", error: expect.stringContaining("find is broken.") }),
  );
  await mend();
  expect(await ring(run())).toBe(true);
  const transcript = await client.follow(events);
  expectWhole(transcript, "completed");
});

it("a session that could not grant the next run does so in the next release", async () => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("One", "."), say("Two.")]);
  const client = somebody();
  const first = await client.startTurn("broken session", model.prompt("First"));
  const { sessionId } = theOnly(await client.eventsUntil(first.events, "text_delta"), "run_start");
  const second = await client.startTurn("broken session", "Second");
  const { mend } = await deployBroken(RunQueue.prototype, "head");
  const log = captureLog();
  const session = env.SESSIONS.getByName(sessionId);
  expect(await ring(session)).toBe(true);
  expect(await alarmOf(session)).not.toBeNull();
  expect(failures(log)).toContainEqual(expect.objectContaining({ object: "session" }));
  await mend();
  await client.abort(first.runId);
  expectWhole(await client.followAllowing(second.runId), "completed");
});

it("a workspace that was to take its mark of deletion away does so in the next release", async () => {
  const name = crypto.randomUUID();
  const workspace = () => env.WORKSPACES.getByName(name);
  const clock = shiftedClock();
  await workspace().purge(await anOpenDeletion(), Date.now() + SETTLE_MS);
  const { mend } = await deployBroken(DeletedWorkspace.prototype, "lift");
  const log = captureLog();
  expect(await ring(workspace())).toBe(true);
  expect(await alarmOf(workspace())).not.toBeNull();
  expect(failures(log)).toContainEqual(expect.objectContaining({ object: "workspace" }));
  await mend();
  clock.forward(SETTLE_MS);
  expect(await ring(workspace())).toBe(true);
  expect(await workspace().stat("/", "a.txt")).toEqual({ ok: true, value: undefined });
});

it("prices that could not be fetched are asked for by the next release", async () => {
  const id = env.QUOTES.newUniqueId();
  const quotes = () => env.QUOTES.get(id);
  await runInDurableObject(quotes(), (_, { storage }) => storage.setAlarm(Date.now() + SETTLE_MS));
  const { mend } = await deployBroken(OneAtATime.prototype, "run");
  const log = captureLog();
  expect(await ring(quotes())).toBe(true);
  expect(await alarmOf(quotes())).not.toBeNull();
  expect(failures(log)).toContainEqual(expect.objectContaining({ object: "quotes" }));
  await mend();
  // Nobody looks at anything: there is nothing to ask for, and no further alarm.
  expect(await ring(quotes())).toBe(true);
  expect(await alarmOf(quotes())).toBeNull();
});

it("a search that was to take its mark of deletion away does so in the next release", async () => {
  const id = env.SEARCH.newUniqueId();
  const search = () => env.SEARCH.get(id);
  const clock = shiftedClock();
  await search().purge(await anOpenDeletion(), Date.now() + SETTLE_MS);
  const { mend } = await deployBroken(ChatIndex.prototype, "reset");
  const log = captureLog();
  clock.forward(SETTLE_MS);
  expect(await ring(search())).toBe(true);
  expect(await alarmOf(search())).not.toBeNull();
  expect(failures(log)).toContainEqual(expect.objectContaining({ object: "search" }));
  await mend();
  expect(await ring(search())).toBe(true);
  expect(await alarmOf(search())).toBeNull();
});
