/** `create-schedule`: a prompt that is sent automatically from then on. When the agent wants one, a person is asked each time. */
import { AppError } from "../../contract/app-error.ts";
import { nextOccurrence } from "../../contract/schedules/next-occurrence.ts";
import {
  CreateScheduleAgentInput,
  CreateScheduleInput,
  CreateScheduleOutput,
  MAX_SCHEDULES,
} from "../../contract/schedules/schedule.ts";
import { insertSchedule, listOwnSchedules } from "../../db/schedules/owned-schedules.ts";
import type { ScheduleRow } from "../../db/schedules/schedule-tables.ts";
import { type ActionContext, defineAction } from "../define-action.ts";
import { commitOnce } from "../write-once.ts";
import { toSchedule } from "./schedule-view.ts";

export const createSchedule = defineAction<CreateScheduleInput, CreateScheduleOutput>({
  name: "create-schedule",
  kind: "write",
  refusesByData: true,
  description:
    "Sends a prompt to you by itself, at the times of a cron expression or once at a local time. Write the prompt so that it " +
    "can be understood without this chat. Each run may read freely and has to ask before it changes anything, so prefer " +
    "reports. A minute that daylight saving skips runs at the next one. Ask for the time zone if you do not know it.",
  input: CreateScheduleInput,
  agentInput: CreateScheduleAgentInput,
  output: CreateScheduleOutput,
  run: async (ctx, { idempotencyKey, ...input }) => {
    const request = { action: "create-schedule", input, idempotencyKey, output: CreateScheduleOutput };
    return commitOnce(ctx, request, async () => {
      await assertPlace(ctx);
      const row = newSchedule(ctx, input);
      return {
        answer: { schedule: toSchedule(row) },
        commit: async (filed) => {
          const inserted = await insertSchedule(ctx.db, row, filed, row.createdAtMs);
          if (inserted === "too_many") throw tooMany();
          return inserted === "inserted";
        },
      };
    });
  },
  title: ({ cron, once }) => `Schedule a prompt: ${cron ?? once}`,
  // Refuses before anybody is asked. What is allowed later may still be too late.
  before: async (ctx, input) => {
    newSchedule(ctx, input);
    await assertPlace(ctx);
  },
  mayBecomeRule: () => false,
});

const tooMany = (): AppError => new AppError(409, `You have ${MAX_SCHEDULES} schedules, the limit. Delete some first.`);

/** Checked again by the insert itself. */
const assertPlace = async ({ db, caller, nowMs }: ActionContext): Promise<void> => {
  const own = await listOwnSchedules(db, caller.ownerEmail, nowMs());
  if (own.filter(({ state }) => state !== "done").length >= MAX_SCHEDULES) throw tooMany();
};

/** @throws {AppError} 400 for times of which none is left. */
const newSchedule = (
  { caller, nowMs, newId }: ActionContext,
  { prompt, threadId, cron, once, timeZone }: Omit<CreateScheduleInput, "idempotencyKey">,
): ScheduleRow => {
  const createdAtMs = nowMs();
  const timing = cron === undefined ? { once: once ?? "", timeZone } : { cron, timeZone };
  const dueAtMs = nextOccurrence(timing, createdAtMs);
  if (dueAtMs === undefined) {
    throw new AppError(400, cron === undefined ? "once: use a time in the future" : "cron: use times that exist");
  }
  const id = newId();
  return {
    id,
    ownerEmail: caller.ownerEmail,
    orgId: caller.orgId,
    threadId: threadId ?? `schedule-${id}`,
    prompt,
    cron: cron ?? null,
    once: once ?? null,
    timeZone,
    ...{ state: "active", reason: null, dueAtMs, createdAtMs },
    ...{ claimedUntilMs: 0, claimedAtMs: 0, firstClaimedAtMs: null, claims: 0, expiredInARow: 0 },
    ...{ lastRunId: null, lastDueAtMs: null, lastStartedAtMs: null, reportedRunId: null },
  };
};
