/** `list-schedules`: the person's schedules, with when they are due next and what became of the last time. */
import { ListSchedulesInput, ListSchedulesOutput } from "../../contract/schedules/schedule.ts";
import { listOwnSchedules } from "../../db/schedules/owned-schedules.ts";
import { defineAction } from "../define-action.ts";
import { toSchedule } from "./schedule-view.ts";

export const listSchedules = defineAction<ListSchedulesInput, ListSchedulesOutput>({
  name: "list-schedules",
  kind: "read",
  description: "Lists the person's schedules: prompts that are sent by themselves, when next, and why one is paused.",
  input: ListSchedulesInput,
  output: ListSchedulesOutput,
  run: async ({ db, caller, nowMs }) => {
    const rows = await listOwnSchedules(db, caller.ownerEmail, nowMs());
    return { schedules: rows.map(toSchedule) };
  },
  title: () => "List the schedules",
});
