/** Schedules as actions: a prompt that is sent automatically, at times that a person chose. */

import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { RunId } from "../contract/ids.ts";
import { nextOccurrence } from "../contract/schedules/next-occurrence.ts";
import {
  CreateScheduleAgentInput,
  CreateScheduleInput,
  CreateScheduleOutput,
  DeleteScheduleAgentInput,
  DeleteScheduleInput,
  DeleteScheduleOutput,
  ListSchedulesInput,
  ListSchedulesOutput,
  MAX_SCHEDULES,
  type Schedule,
} from "../contract/schedules/schedule.ts";
import { deleteOwnSchedule, findSchedule, insertSchedule, listOwnSchedules } from "../db/schedules/owned-schedules.ts";
import type { ScheduleRow } from "../db/schedules/schedule-tables.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { commitOnce } from "./write-once.ts";

/** `list-schedules`: the person's schedules, with when they are due next and what became of the last time. */
export const listSchedules = defineAction<ListSchedulesInput, ListSchedulesOutput>({
  name: "list-schedules",
  kind: "read",
  description:
    "Lists the person's schedules: prompts that are sent automatically, when each is next due, and why one is paused.",
  input: ListSchedulesInput,
  output: ListSchedulesOutput,
  run: async ({ db, caller, nowMs }) => {
    const rows = await listOwnSchedules(db, caller.ownerEmail, nowMs());
    return { schedules: rows.map(toSchedule) };
  },
  title: () => "List the schedules",
});

/** `create-schedule`: a prompt that is sent automatically from then on. When the agent wants one, a person is asked each time. */
export const createSchedule = defineAction<CreateScheduleInput, CreateScheduleOutput>({
  name: "create-schedule",
  kind: "write",
  refusesByData: true,
  description:
    "Sends a prompt to you automatically, at the times of a cron expression or once at a local time. Write the prompt so that it " +
    "can be understood without this chat. Each run may read freely and has to ask before it changes anything, so prefer " +
    "reports. A minute that daylight saving skips runs at the next one. Ask for the time zone if you do not know it.",
  input: CreateScheduleInput,
  agentInput: CreateScheduleAgentInput,
  output: CreateScheduleOutput,
  run: async (ctx, { idempotencyKey, ...input }) => {
    const request = { action: "create-schedule", input, idempotencyKey, output: CreateScheduleOutput };
    return commitOnce(ctx, request, async () => {
      const row = newSchedule(ctx, input);
      await assertPlace(ctx, row);
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
  // Refuses before anybody is asked. Once the person allows it, it may still be too late.
  before: async (ctx, input) => {
    await assertPlace(ctx, newSchedule(ctx, input));
    return undefined;
  },
  mayBecomeRule: () => false,
});

const tooMany = (): AppError => new AppError(409, `You have ${MAX_SCHEDULES} schedules, the limit. Delete some first.`);

/** Refuses when the person has too many schedules. The insert checks it again. */
const assertPlace = async ({ db, caller, nowMs }: ActionContext, row: ScheduleRow): Promise<void> => {
  const own = await listOwnSchedules(db, caller.ownerEmail, nowMs());
  const isAgain = own.some((one) => one.state === "paused" && workOf(one) === workOf(row));
  if (own.filter(({ state }) => state !== "done").length - Number(isAgain) >= MAX_SCHEDULES) throw tooMany();
};

const workOf = ({ threadId, prompt, cron, once, timeZone }: ScheduleRow): string =>
  JSON.stringify([threadId, prompt, cron, once, timeZone]);

/** @throws {AppError} 400 for times that never come any more. */
const newSchedule = (
  { caller, nowMs, newId }: ActionContext,
  { prompt, threadId, cron, once, timeZone }: Omit<CreateScheduleInput, "idempotencyKey">,
): ScheduleRow => {
  const createdAtMs = nowMs();
  const timing = cron === undefined ? { once: once ?? "", timeZone } : { cron, timeZone };
  const dueAtMs = nextOccurrence(timing, createdAtMs);
  if (dueAtMs === undefined) {
    throw new AppError(
      400,
      cron === undefined
        ? "once: use a time in the future"
        : "cron: this date never comes; choose another day or month",
    );
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

/** `delete-schedule`: the schedule starts nothing from then on. What it has started stays. */
export const deleteSchedule = defineAction<DeleteScheduleInput, DeleteScheduleOutput>({
  name: "delete-schedule",
  kind: "write",
  refusesByData: true,
  description: "Deletes a schedule permanently: it starts nothing from then on. Take the id from list-schedules.",
  input: DeleteScheduleInput,
  agentInput: DeleteScheduleAgentInput,
  output: DeleteScheduleOutput,
  run: async (ctx, { idempotencyKey, ...input }) => {
    const request = { action: "delete-schedule", input, idempotencyKey, output: DeleteScheduleOutput };
    return commitOnce(ctx, request, async () => {
      const { id } = await ownSchedule(ctx, input.id);
      return {
        answer: { deleted: [id] },
        commit: (filed) => deleteOwnSchedule(ctx.db, ctx.caller.ownerEmail, id, filed, ctx.nowMs()),
      };
    });
  },
  title: () => "Delete a schedule",
  // Without a basis, because nothing changes what a schedule does.
  before: async (ctx, { id }) => ({ shown: toSchedule(await ownSchedule(ctx, id)) }),
  // There is no trash for schedules: one rule could delete all of them.
  mayBecomeRule: () => false,
});

/** @throws {AppError} 404 when the owner has no such schedule. */
const ownSchedule = async ({ db, caller }: ActionContext, text: string): Promise<ScheduleRow> => {
  const id = z.uuid().safeParse(text).data;
  const row = id === undefined ? undefined : await findSchedule(db, caller.ownerEmail, id);
  if (row === undefined) throw new AppError(404, "Schedule not found.");
  return row;
};

/** A schedule as its owner sees it. */
const toSchedule = (row: ScheduleRow): Schedule => ({
  id: row.id,
  prompt: row.prompt,
  threadId: row.threadId,
  ...(row.cron === null ? {} : { cron: row.cron }),
  ...(row.once === null ? {} : { once: row.once }),
  timeZone: row.timeZone,
  nextAt: timeOf(row.dueAtMs),
  lastRunId: row.lastRunId === null ? null : RunId.parse(row.lastRunId),
  lastDueAt: timeOf(row.lastDueAtMs),
  lastStartedAt: timeOf(row.lastStartedAtMs),
  state: row.state,
  reason: row.reason,
  createdAt: new Date(row.createdAtMs).toISOString(),
});

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
