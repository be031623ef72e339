/** A machine that sleeps keeps its connection: what is told beside it, and what is not to somebody who is there (decision 0222). */
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { noticesTold } from "../../support/workerd/handed-over.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { openStream, parseFrames } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const HOUR_MS = 3_600_000;

const Accept = "text/event-stream";

/** Asks as the app does. */
const asApp = (person: Somebody) => (path: string) =>
  person.request(path, { headers: { Accept, "X-Comes-Back": "true" } });

/** As any client of server-sent events does. */
const asOther = (person: Somebody) => (path: string) => person.request(path, { headers: { Accept } });

/** A run that waits for the first of two permissions, while somebody with a phone is connected to it. */
const aWatchedRun = async (watch: (person: Somebody) => (path: string) => Promise<Response>) => {
  const clock = heldClock(Date.now() + HOUR_MS);
  const person = somebody();
  const phone = await aPhone(person);
  const script = [callTool("add-stock", { symbol: "AAPL" }), callTool("add-stock", { symbol: "MSFT" }), say("Added.")];
  const model = await scriptModel(inject("modelUrl"), script);
  const { runId, events } = await person.startTurn("t", model.prompt("Add them"));
  const stream = await openStream(watch(person), events, "run_status");
  const rest = stream.rest();
  const openRequest = async () =>
    z.array(z.object({ requestId: z.string() })).parse((await person.view(runId)).pendingPermissions)[0]?.requestId;
  /** Lets seconds pass, and answers what is open then. Returns once the next request is open, or the run has ended. */
  const answerAfter = async (seconds: number): Promise<void> => {
    clock.forward(seconds * 1_000);
    const requestId = z.string().parse(await openRequest());
    await person.decide(runId, requestId, { decision: "allow_once" });
    const isNext = async () => ![undefined, requestId].includes(await openRequest());
    await expect.poll(async () => (await person.view(runId)).status === "completed" || (await isNext())).toBe(true);
  };
  const later = async (seconds: number): Promise<void> => {
    clock.forward(seconds * 1_000);
    await person.wake(runId);
    await noticesTold(runId);
  };
  const told = async () => (await phone.notices()).map(({ kind }) => kind);
  return { person, runId, events, rest, answerAfter, later, told };
};

it("a request is told a minute after it was made, though a machine is connected that no longer reads", async () => {
  const { answerAfter, later, told, rest } = await aWatchedRun(asApp);
  await answerAfter(10);
  await later(30);
  await later(31);
  expect(await told()).toEqual([]);
  await later(8);
  expect(await told()).toEqual(["permission"]);
  expect(await rest).not.toContain("run_end");
});

it("a request is not told to an app that comes back, nor beside a client that would not", async () => {
  const app = await aWatchedRun(asApp);
  await app.answerAfter(10);
  await app.later(61);
  expect(await app.rest).not.toContain("run_end");
  const again = await openStream(asApp(app.person), app.events, "run_status");
  const rest = again.rest();
  await app.later(8);
  await app.later(61);
  await app.later(8);
  expect(await app.told()).toEqual([]);
  await app.answerAfter(1);
  expect(await rest).toContain("run_end");

  const other = await aWatchedRun(asOther);
  await other.answerAfter(10);
  await other.later(61);
  await other.later(8);
  expect(await other.told()).toEqual([]);
  await other.answerAfter(1);
  expect(await other.rest).toContain("run_end");
});

it("the end of a long run is told, though a machine is connected that no longer reads", async () => {
  const { answerAfter, later, told, rest } = await aWatchedRun(asApp);
  await answerAfter(10);
  await answerAfter(21);
  expect(await rest).toContain("run_end");
  await later(6);
  expect(await told()).toEqual(["run_end"]);
});

it("the end of a long run is not told to an app that asks for more, nor beside a client that would not", async () => {
  const app = await aWatchedRun(asApp);
  await app.answerAfter(10);
  await app.answerAfter(21);
  const last = parseFrames(await app.rest).at(-1);
  expect((await asApp(app.person)(`${app.events}?after=${last?.seq}`)).status).toBe(204);
  await app.later(60);
  expect(await app.told()).toEqual([]);

  const other = await aWatchedRun(asOther);
  await other.answerAfter(10);
  await other.answerAfter(21);
  expect(await other.rest).toContain("run_end");
  await other.later(60);
  expect(await other.told()).toEqual([]);
});
