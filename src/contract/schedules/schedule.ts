/** Schedules: a prompt that is sent automatically, at the times of a cron expression or once (api.md §5). */
import * as z from "zod";
import { IdempotencyKey, RunId } from "../ids.ts";
import { wellFormed } from "../plain-text.ts";
import { MAX_THREAD_ID_LENGTH, pathRemedy } from "../turn.ts";
import { leastGapMinutes, parseCron, rangeRemedy } from "./cron.ts";
import { parseLocalTime } from "./next-occurrence.ts";
import { isTimeZone } from "./zone-time.ts";

/** Most schedules of an owner that may still start something. */
export const MAX_SCHEDULES = 20;

/** Least time between two occurrences of a schedule, in minutes. */
const MIN_GAP_MINUTES = 15;

/** Longest prompt, in UTF-16 units: five thousand tokens, sent as often as it is due. */
const MAX_PROMPT_LENGTH = 20_000;

const PROMPT_REMEDY = "use 1 to 20,000 characters";
const THREAD_REMEDY = "use 1 to 200 characters";
const CRON_REMEDY = "use five numeric fields of * , - / such as 0 8 * * 1";
const GAP_REMEDY = `leave at least ${MIN_GAP_MINUTES} minutes between two times`;
const ONCE_REMEDY = "use a local time such as 2026-12-24T18:00";
/** Refused from this day on: west of UTC its last hours are in the year 10000, which `z.iso.datetime` does not take. */
const END_OF_YEARS = "9999-12-31";
const ZONE_REMEDY = "use a name such as Europe/Berlin";

/** Reports one problem only: the expression is parsed first, and the gap between its times is checked only when it is valid. */
const Cron = z
  .string(CRON_REMEDY)
  .trim()
  .check(({ value, issues }) => {
    const fields = parseCron(value);
    const isTooOften = fields !== undefined && leastGapMinutes(fields) < MIN_GAP_MINUTES;
    if (fields !== undefined && !isTooOften) return;
    const message = isTooOften ? GAP_REMEDY : (rangeRemedy(value) ?? CRON_REMEDY);
    issues.push({ code: "custom", message, input: value });
  });

/** The input of the agent's tool. */
export const CreateScheduleAgentInput = z
  .strictObject({
    prompt: z
      .string(PROMPT_REMEDY)
      .trim()
      .overwrite(wellFormed)
      .min(1, PROMPT_REMEDY)
      .max(MAX_PROMPT_LENGTH, PROMPT_REMEDY),
    threadId: z
      .string(THREAD_REMEDY)
      .min(1, THREAD_REMEDY)
      .max(MAX_THREAD_ID_LENGTH, THREAD_REMEDY)
      .refine((id) => pathRemedy(id) === undefined, { error: ({ input }) => pathRemedy(String(input)) })
      .optional()
      .describe("The chat to continue. Leave it out to give the schedule a chat of its own"),
    cron: Cron.optional().describe("Minute, hour, day of the month, month, day of the week; at least 15 minutes apart"),
    once: z
      .string(ONCE_REMEDY)
      .refine((text) => parseLocalTime(text) !== undefined, { error: ONCE_REMEDY, abort: true })
      .refine((text) => text < END_OF_YEARS, `use a day before ${END_OF_YEARS}`)
      .optional()
      .describe("Instead of cron: a local time, YYYY-MM-DDTHH:MM"),
    timeZone: z.string(ZONE_REMEDY).refine(isTimeZone, ZONE_REMEDY).describe("The person's, such as Europe/Berlin"),
  })
  .refine(({ cron, once }) => (cron === undefined) !== (once === undefined), {
    path: ["cron"],
    error: "give either cron or once",
  });

export const CreateScheduleInput = CreateScheduleAgentInput.safeExtend({ idempotencyKey: IdempotencyKey.optional() });
export type CreateScheduleInput = z.infer<typeof CreateScheduleInput>;

/** A schedule as its owner sees it. */
export const Schedule = z.object({
  id: z.uuid(),
  prompt: z.string(),
  threadId: z.string(),
  /** Exactly one of `cron` and `once` is there. */
  cron: z.string().optional(),
  once: z.string().optional(),
  timeZone: z.string(),
  /** Null when it is paused or done. */
  nextAt: z.iso.datetime().nullable(),
  lastRunId: RunId.nullable(),
  /** When the last occurrence was due, and when it was started: later when much was due in that minute. */
  lastDueAt: z.iso.datetime().nullable(),
  lastStartedAt: z.iso.datetime().nullable(),
  state: z.enum(["active", "paused", "done"]),
  /** Why it is paused, or why its last occurrence did not start; null otherwise. */
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Schedule = z.infer<typeof Schedule>;

export const CreateScheduleOutput = z.object({ schedule: Schedule });
export type CreateScheduleOutput = z.infer<typeof CreateScheduleOutput>;

export const ListSchedulesInput = z.strictObject({});
export type ListSchedulesInput = z.infer<typeof ListSchedulesInput>;

/** Oldest first. One that is done is listed for 30 days. */
export const ListSchedulesOutput = z.object({ schedules: z.array(Schedule) });
export type ListSchedulesOutput = z.infer<typeof ListSchedulesOutput>;

/** The input of the agent's tool. An id that is not a UUID gets the 404 of an unknown one. */
export const DeleteScheduleAgentInput = z.strictObject({ id: z.string("use the schedule's id") });

export const DeleteScheduleInput = DeleteScheduleAgentInput.extend({ idempotencyKey: IdempotencyKey.optional() });
export type DeleteScheduleInput = z.infer<typeof DeleteScheduleInput>;

export const DeleteScheduleOutput = z.object({ deleted: z.array(z.uuid()) });
export type DeleteScheduleOutput = z.infer<typeof DeleteScheduleOutput>;
