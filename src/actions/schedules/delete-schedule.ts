/** `delete-schedule`: it starts nothing from then on. What it has started stays. */
import * as z from "zod";
import { AppError } from "../../contract/app-error.ts";
import {
  DeleteScheduleAgentInput,
  DeleteScheduleInput,
  DeleteScheduleOutput,
} from "../../contract/schedules/schedule.ts";
import { deleteOwnSchedule, findSchedule } from "../../db/schedules/owned-schedules.ts";
import type { ScheduleRow } from "../../db/schedules/schedule-tables.ts";
import { type ActionContext, defineAction } from "../define-action.ts";
import { commitOnce } from "../write-once.ts";
import { toSchedule } from "./schedule-view.ts";

export const deleteSchedule = defineAction<DeleteScheduleInput, DeleteScheduleOutput>({
  name: "delete-schedule",
  kind: "write",
  refusesByData: true,
  description: "Deletes a schedule for good: it starts nothing from then on. Take the id from list-schedules.",
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
  before: async (ctx, { id }) => toSchedule(await ownSchedule(ctx, id)),
});

/** @throws {AppError} 404 when the owner has no such schedule. */
const ownSchedule = async ({ db, caller }: ActionContext, text: string): Promise<ScheduleRow> => {
  const id = z.uuid().safeParse(text).data;
  const row = id === undefined ? undefined : await findSchedule(db, caller.ownerEmail, id);
  if (row === undefined) throw new AppError(404, "Schedule not found.");
  return row;
};
