/** Creating, listing and deleting schedules, on the screen and by the agent. */
import { env } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { openDb } from "../../../src/db/db.ts";
import { dropExpired } from "../../../src/db/deletion/drop-expired.ts";
import { startDue } from "../../../src/schedule/start-due.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { addThreads } from "../../support/workerd/many-threads.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { aSchedule, makeDue, runsOf, schedulesOf, thisMinute, YEARLY } from "../../support/workerd/schedules-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const CREATE = "/_framework/actions/create-schedule";
const DELETE = "/_framework/actions/delete-schedule";
const PROMPT = "Which targets are near?";
const refusal = (status: number, error: string) => ({ status, body: { error } });

describe("create-schedule", () => {
  it("answers the schedule, which the list has", async () => {
    const person = somebody();
    const input = { prompt: ` ${PROMPT} `, cron: "0 8 * * 1", timeZone: "Europe/Berlin" };
    const { status, body } = await person.ask("POST", CREATE, input);
    expect(status).toBe(200);
    const [schedule] = await schedulesOf(person);
    expect(body).toEqual({ schedule });
    expect(schedule).toMatchObject({
      ...{
        prompt: PROMPT,
        cron: "0 8 * * 1",
        timeZone: "Europe/Berlin",
        lastRunId: null,
        state: "active",
        reason: null,
      },
      threadId: `schedule-${schedule?.id}`,
    });
    const next = new Date(schedule?.nextAt ?? 0);
    const wall = next.toLocaleString("en-GB", {
      timeZone: "Europe/Berlin",
      weekday: "short",
      timeStyle: undefined,
      hour: "2-digit",
      minute: "2-digit",
    });
    expect(wall).toBe("Mon 08:00");
  });

  it.each([
    [{ ...YEARLY }, "prompt: use 1 to 20,000 characters"],
    [{ ...YEARLY, prompt: " " }, "prompt: use 1 to 20,000 characters"],
    [{ prompt: PROMPT, timeZone: "UTC" }, "cron: give either cron or once"],
    [{ ...YEARLY, prompt: PROMPT, once: "2099-01-01T00:00" }, "cron: give either cron or once"],
    [{ ...YEARLY, prompt: PROMPT, cron: "0 8 * * MON" }, "cron: use five numeric fields of * , - / such as 0 8 * * 1"],
    [{ ...YEARLY, prompt: PROMPT, cron: "0 8 99 * *" }, "cron: use 1 to 31 for the day of the month"],
    [{ ...YEARLY, prompt: PROMPT, cron: "*/10 * * * *" }, "cron: leave at least 15 minutes between two times"],
    [{ ...YEARLY, prompt: PROMPT, cron: "0 0 30 2 *" }, "cron: this date never comes; choose another day or month"],
    [{ prompt: PROMPT, timeZone: "UTC", once: "2099-02-30T00:00" }, "once: use a local time such as 2026-12-24T18:00"],
    [{ prompt: PROMPT, timeZone: "UTC", once: "2020-01-01T00:00" }, "once: use a time in the future"],
    [{ prompt: PROMPT, timeZone: "America/New_York", once: "9999-12-31T23:59" }, "once: use a day before 9999-12-31"],
    [{ prompt: PROMPT, cron: YEARLY.cron, timeZone: "+02:00" }, "timeZone: use a name such as Europe/Berlin"],
    [{ ...YEARLY, prompt: PROMPT, threadId: "x".repeat(201) }, "threadId: use 1 to 200 characters"],
    [{ ...YEARLY, prompt: PROMPT, threadId: "\ud800" }, "threadId: use whole Unicode characters"],
    [{ ...YEARLY, prompt: PROMPT, threadId: ".." }, 'threadId: use another id than "." or ".."'],
    [{ ...YEARLY, prompt: PROMPT, owner: "x" }, "owner: unknown field, leave it out"],
  ])("refuses %j", async (input, error) => {
    expect(await somebody().ask("POST", CREATE, input)).toEqual(refusal(400, error));
  });

  it("refuses the twenty-first, also when several are created at once", async () => {
    const person = somebody();
    for (let nth = 0; nth < 18; nth += 1) await aSchedule(person);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => person.ask("POST", CREATE, { ...YEARLY, prompt: PROMPT })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toEqual(
      refusal(409, "You have 20 schedules, the limit. Delete some first."),
    );
    expect(await schedulesOf(person)).toHaveLength(20);
  });

  it("starts a paused one again where there are twenty, once, and nothing else", async () => {
    const person = somebody();
    for (let nth = 0; nth < 19; nth += 1) await aSchedule(person);
    const { id, prompt, threadId, cron, timeZone } = await aSchedule(person);
    await env.DB.prepare("UPDATE schedules SET state = 'paused', due_at_ms = NULL WHERE id = ?").bind(id).run();
    const again = { prompt, threadId, cron, timeZone };
    const full = refusal(409, "You have 20 schedules, the limit. Delete some first.");
    expect(await person.ask("POST", CREATE, { ...again, timeZone: "Europe/Berlin" })).toEqual(full);
    expect(await person.ask("POST", CREATE, { prompt, cron, timeZone })).toEqual(full);
    const { status, body } = await person.ask("POST", CREATE, again);
    expect({ status, body }).toMatchObject({ status: 200, body: { schedule: { ...again, state: "active" } } });
    expect(await person.ask("POST", CREATE, again)).toEqual(full);
    await person.ask("POST", DELETE, { id });
    expect(await schedulesOf(person)).toHaveLength(20);
  });

  it("creates one under a key that is sent twice at once", async () => {
    const person = somebody();
    const input = { ...YEARLY, prompt: PROMPT, idempotencyKey: crypto.randomUUID() };
    const answers = await Promise.all([person.ask("POST", CREATE, input), person.ask("POST", CREATE, input)]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await schedulesOf(person)).toHaveLength(1);
  });
});

it("delete-schedule deletes one's own and nobody else's", async () => {
  const [person, other] = [somebody(), somebody()];
  const { id } = await aSchedule(person);
  const gone = refusal(404, "Schedule not found.");
  expect(await other.ask("POST", DELETE, { id })).toEqual(gone);
  expect(await other.ask("POST", DELETE, { id: "none" })).toEqual(gone);
  expect(await schedulesOf(other)).toEqual([]);
  expect(await person.ask("POST", DELETE, { id })).toEqual({ status: 200, body: { deleted: [id] } });
  expect(await person.ask("POST", DELETE, { id })).toEqual(gone);
  expect(await schedulesOf(person)).toEqual([]);
});

/** Schedules that were done a while ago, with such ids. */
const storeDone = (person: Somebody, ids: readonly string[], doneAtMs: number) =>
  env.DB.prepare(
    `INSERT INTO schedules (id, owner_email, thread_id, prompt, once, time_zone, state, last_due_at_ms, claimed_until_ms, claimed_at_ms,
       claims, expired_in_a_row, created_at_ms)
     SELECT value, ?, 't', 'p', '2026-01-01T00:00', 'UTC', 'done', ?, 0, ?, 0, 0, 0 FROM json_each(?)`,
  )
    .bind(person.email, doneAtMs, doneAtMs, JSON.stringify(ids))
    .run();

const DAY_MS = 24 * 3_600_000;

describe("schedules that are done", () => {
  it("hide none that is not, and the newest 200 are listed", async () => {
    const person = somebody();
    const first = await aSchedule(person);
    const ids = (start: string) =>
      Array.from({ length: 110 }, (_, nth) => `${start}000000-0000-7000-8000-${nth + 100_000_000_000}`);
    await storeDone(person, [...ids("00"), ...ids("ff")], Date.now());
    const last = await aSchedule(person);
    expect((await schedulesOf(person)).map(({ id }) => id)).toEqual([
      ...[...ids("00").slice(-88), first.id, last.id],
      ...ids("ff"),
    ]);
  });

  it("are kept as far as they are listed, however many of one person's come to nothing", async () => {
    const person = somebody();
    const ids = Array.from({ length: 230 }, (_, nth) => `00000000-0000-7000-8000-${nth + 100_000_000_000}`);
    const other = somebody();
    await storeDone(person, ids, Date.now());
    await storeDone(other, ["another's"], Date.now());
    const once = { cron: undefined, once: "2099-01-01T00:00" };
    const { id } = await aSchedule(person, once);
    const stored = async ({ email }: Somebody) => {
      const find = env.DB.prepare("SELECT id FROM schedules WHERE owner_email = ? ORDER BY id");
      return (await find.bind(email).all<{ id: string }>()).results.map(({ id: each }) => each);
    };
    expect(await stored(person)).toEqual([...ids.slice(-200), id]);
    await addThreads(person.email);
    await makeDue(id, thisMinute());
    await startDue(env, Date.now());
    const next = await aSchedule(person, once);
    expect(await stored(person)).toEqual([...ids.slice(-199), id, next.id]);
    expect(await runsOf(person.email)).toEqual([]);
    expect(await stored(other)).toEqual(["another's"]);
  });

  it("are deleted after 30 days, and others never are", async () => {
    const person = somebody();
    const { id } = await aSchedule(person);
    const nowMs = Date.now();
    await storeDone(person, ["old-1", "old-2"], nowMs - 30 * DAY_MS);
    await storeDone(person, ["new"], nowMs - 29 * DAY_MS);
    await storeDone(person, ["paused"], nowMs - 90 * DAY_MS);
    await env.DB.prepare("UPDATE schedules SET state = 'paused' WHERE id = 'paused'").run();
    await dropExpired(openDb(env.DB), nowMs);
    const { results } = await env.DB.prepare("SELECT id FROM schedules WHERE owner_email = ? ORDER BY id")
      .bind(person.email)
      .all();
    expect(results).toEqual([{ id }, { id: "new" }, { id: "paused" }]);
  });
});

describe("the agent", () => {
  it("asks for each schedule, without an offer to allow them always", async () => {
    const person = somebody();
    const input = { prompt: PROMPT, cron: "0 8 * * 1", timeZone: "Europe/Berlin" };
    const model = await scriptModel(inject("modelUrl"), [callTool("create-schedule", input), say("Done.")]);
    const { runId } = await person.startTurn("t", model.prompt("Every Monday"));
    const events = await person.followAllowing(runId);
    const request = theOnly(events, "permission_request");
    expect(request).toMatchObject({
      ...{ tool: "create-schedule", kind: "edit", title: "Schedule a prompt: 0 8 * * 1" },
      subject: { type: "action", name: "create-schedule", input },
    });
    expect(request.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
    expect(await schedulesOf(person)).toMatchObject([{ prompt: PROMPT }]);
  });

  it("is told what is wrong before anybody is asked", async () => {
    const person = somebody();
    const late = { prompt: PROMPT, once: "2020-01-01T00:00", timeZone: "UTC" };
    const model = await scriptModel(inject("modelUrl"), [callTool("create-schedule", late), say("Too late.")]);
    const { events } = await person.startTurn("t", model.prompt("Once"));
    const all = await person.follow(events);
    expect(all.map(({ type }) => type)).not.toContain("permission_request");
    expect(theOnly(all, "tool_end")).toMatchObject({ status: "failed", output: "once: use a time in the future" });
  });

  it("shows the schedule that it wants to delete", async () => {
    const person = somebody();
    const schedule = await aSchedule(person);
    const model = await scriptModel(inject("modelUrl"), [
      callTool("delete-schedule", { id: schedule.id }),
      say("Done."),
    ]);
    const { runId } = await person.startTurn("t", model.prompt("Delete it"));
    const events = await person.followAllowing(runId);
    const request = theOnly(events, "permission_request");
    expect(request.subject).toMatchObject({ before: schedule });
    // Each deletion is asked for: there is no trash that one rule too many could be undone from.
    expect(request.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
    expect(await schedulesOf(person)).toEqual([]);
  });
});
