/** Schedules in tests: created as a client creates them, and made due by changing their row. */
import { env } from "cloudflare:test";
import { inject } from "vitest";
import { CreateScheduleOutput, ListSchedulesOutput } from "../../../src/contract/schedules/schedule.ts";
import { say } from "../model-script.ts";
import { scriptModel } from "../scripted-model.ts";
import type { Somebody } from "./somebody.ts";

/** Half a year away, but on one day: nothing is due by itself while a test runs. */
export const YEARLY = { cron: `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`, timeZone: "UTC" };

/** Creates a schedule whose prompt the model answers at once. */
export const aSchedule = async (person: Somebody, input: Record<string, unknown> = {}) => {
  const model = await scriptModel(inject("modelUrl"), [say("Nothing is near.")]);
  const prompt = model.prompt("Which targets are near?");
  const answer = await person.action("create-schedule", { ...YEARLY, prompt, ...input });
  return CreateScheduleOutput.parse(answer).schedule;
};

/** Lets a schedule be due since then. */
export const makeDue = async (scheduleId: string, dueAtMs: number): Promise<void> => {
  await env.DB.prepare("UPDATE schedules SET due_at_ms = ?2 WHERE id = ?1").bind(scheduleId, dueAtMs).run();
};

export const MINUTE_MS = 60_000;

/** The start of the current minute, so that the minutes of a test are the cron's own. */
export const thisMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** Creates a schedule that has been due for a minute. */
export const dueSchedule = async (person: Somebody, input: Record<string, unknown> = {}) => {
  const schedule = await aSchedule(person, input);
  const dueAtMs = thisMinute() - MINUTE_MS;
  await makeDue(schedule.id, dueAtMs);
  return { ...schedule, dueAtMs };
};

/** The person's schedules. */
export const schedulesOf = async (person: Somebody) =>
  ListSchedulesOutput.parse(await person.action("list-schedules", {})).schedules;

/** Ids of all runs of a person, oldest first. */
export const runsOf = async (email: string): Promise<string[]> => {
  const { results } = await env.DB.prepare(
    "SELECT run_id FROM runs WHERE owner_email = ? ORDER BY created_at_ms, run_id",
  )
    .bind(email)
    .all<{ run_id: string }>();
  return results.map(({ run_id: runId }) => runId);
};
