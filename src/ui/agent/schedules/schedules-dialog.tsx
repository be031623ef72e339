/** Schedules: prompts that are sent automatically. Listed, created and deleted by the same actions as the agent's. */
import { IconPlus } from "@tabler/icons-preact";
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CreateScheduleInput, Schedule } from "../../../contract/schedules/schedule.ts";
import { runAction } from "../../api/run-action.ts";
import { useActionQuery } from "../../api/use-action-query.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useIsGone } from "../../parts/task/use-problem.ts";
import { useUnderWay } from "../../parts/task/use-under-way.ts";
import { showToast } from "../../parts/toasts.tsx";
import { useStore } from "../../state/store.ts";
import { withKey } from "../../state/unsent-keys.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { NO_DRAFT, ScheduleForm, type ScheduleProblems, scheduleDraft } from "./schedule-form.tsx";
import { ScheduleItem } from "./schedule-item.tsx";

/** The input that creates the same schedule again. */
const inputOf = ({ prompt, threadId, cron, once, timeZone }: Schedule): CreateScheduleInput => ({
  ...{ prompt, threadId, timeZone, ...(cron === undefined ? { once } : { cron }) },
});

/** Creates a schedule once, even if the answer is lost and the same request is made again. */
const create = (request: string, input: CreateScheduleInput): Promise<unknown> =>
  withKey(request, (idempotencyKey) => runAction("create-schedule", { ...input, idempotencyKey }));

/** The server's names of the fields, each with the form's. A time that is past is reported at the date. */
const FIELDS = { prompt: "prompt", cron: "cron", once: "date" } as const;

/** `cron: use 1 to 31 …` as a sentence for its field. Undefined for a problem that names no field. */
const atItsField = (problem: string): ScheduleProblems | undefined => {
  const [, name, remedy = ""] = /^(\w+): (.+)$/.exec(problem) ?? [];
  const field = Object.entries(FIELDS).find(([known]) => known === name)?.[1];
  return field && { [field]: `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.` };
};

/** The problem as a sentence, for a place without fields. */
const inWords = (problem: string): string => Object.values(atItsField(problem) ?? {})[0] ?? problem;

/**
 * The list, read again after each change. `runTask` resolves to whether it succeeded, or to undefined if it ignored the call, because
 * the one of that id is under way.
 */
const useSchedules = () => {
  const client = useQueryClient();
  const query = useActionQuery("list-schedules", {});
  const underWay = useUnderWay();
  const [problem, setProblem] = useState<{ readonly id: string; readonly text: string }>();
  const isGone = useIsGone();
  const refresh = () => client.invalidateQueries({ queryKey: ["list-schedules"] });
  useEffect(() => {
    // The agent may have changed the list since it was read.
    void refresh();
  }, []);
  const change = async (id: string, work: () => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined);
    try {
      await work();
      await refresh();
      return true;
    } catch (error) {
      const text = explainProblem(error);
      // Whoever has closed the dialog takes it for done.
      if (isGone()) showToast({ text: `Your schedules may not have been changed. ${inWords(text)}`, tone: "bad" });
      else setProblem({ id, text });
      // The change may have been made. The refresh is not awaited, so that another try right away is not ignored.
      void refresh();
      return false;
    }
  };
  const runTask = (id: string, work: () => Promise<unknown>) => underWay.run(id, () => change(id, work));
  return { schedules: query.data?.schedules, error: query.error, isBusy: underWay.has, problem, runTask };
};

/** Open for as long as it is rendered. */
export const SchedulesDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { schedules, error, isBusy, problem, runTask } = useSchedules();
  const draft = useStore(scheduleDraft);
  /** Once shown, the form stays with all that was typed until it is sent or cancelled, even when the list is no longer empty. */
  const [form, setForm] = useState<"shown" | "asked for" | undefined>(draft.prompt === "" ? undefined : "shown");
  /** The schedule that was deleted here last. Not in a toast: its Undo stays until another is deleted, or the dialog is closed. */
  const [deleted, setDeleted] = useState<Schedule>();
  const list = useRef<HTMLDivElement>(null);
  const leaveForm = (): void => {
    scheduleDraft.set(NO_DRAFT);
    setForm(undefined);
  };
  const add = async (input: CreateScheduleInput): Promise<void> => {
    const sent = scheduleDraft.get();
    const isDone = await runTask("new", () => create(JSON.stringify(input), input));
    if (!isDone) return;
    announce("Schedule added.");
    // What was typed since, perhaps after the dialog was opened again, has not been added.
    if (scheduleDraft.get() !== sent) return;
    leaveForm();
    list.current?.focus();
  };
  const remove = async (schedule: Schedule): Promise<void> => {
    const isDone = await runTask(schedule.id, () => runAction("delete-schedule", { id: schedule.id }));
    if (!isDone) return;
    // Its button is gone.
    list.current?.focus();
    announce("Schedule deleted.");
    setDeleted(schedule);
  };
  const undo = async (schedule: Schedule): Promise<void> => {
    const isDone = await runTask(`undo ${schedule.id}`, () => create(`undo ${schedule.id}`, inputOf(schedule)));
    // Another one may have been deleted meanwhile. It gives way to this one, which is wanted back, if that failed.
    if (!isDone) return setDeleted(schedule);
    setDeleted((now) => (now === schedule ? undefined : now));
    list.current?.focus();
  };
  // Creates the new schedule first. If the old one cannot be deleted then, it is paused and starts nothing.
  const startAgain = (schedule: Schedule) =>
    runTask(schedule.id, async () => {
      await withKey(`again ${schedule.id}`, async (idempotencyKey) => {
        await runAction("create-schedule", { ...inputOf(schedule), idempotencyKey });
        await runAction("delete-schedule", { id: schedule.id });
      });
      announce("The schedule is active again.");
    });
  if (schedules?.length === 0 && form === undefined) setForm("shown");
  const byField = useMemo(() => atItsField(problem?.text ?? ""), [problem]);
  const refused = problem?.id === "new" ? byField : undefined;
  // A problem with a schedule that is brought back has no field to appear at.
  const said = problem && inWords(problem.text);
  const trouble = refused ? undefined : (said ?? (error ? explainProblem(error) : undefined));
  return (
    <Dialog title="Schedules" onClose={onClose}>
      <div class="schedules" ref={list} tabIndex={-1}>
        <p class="muted">
          Messages sent to the agent at a set time. It reads freely and asks before it changes anything. Choose how you
          hear of it in Account, under Notices.
        </p>
        {schedules === undefined && error === null && <div class="skeleton" role="status" aria-label="Loading" />}
        {trouble && (
          <p class="problem" role="alert">
            {trouble}
          </p>
        )}
        {deleted && (
          <p class="row">
            Schedule deleted.
            {/* Any other schedule would come back active. */}
            {deleted.state === "active" && (
              <Button isSmall onClick={() => void undo(deleted)}>
                Undo
              </Button>
            )}
          </p>
        )}
        {schedules && schedules.length > 0 && (
          <ul>
            {schedules.map((schedule) => (
              <ScheduleItem
                key={schedule.id}
                schedule={schedule}
                isBusy={isBusy(schedule.id)}
                onOpen={onClose}
                onDelete={() => void remove(schedule)}
                onStartAgain={() => void startAgain(schedule)}
              />
            ))}
          </ul>
        )}
        {schedules &&
          (form ? (
            <ScheduleForm
              isBusy={isBusy("new")}
              hasFocus={form === "asked for"}
              refused={refused}
              draft={draft}
              onDraft={scheduleDraft.set}
              onAdd={(input) => void add(input)}
              {...(schedules.length > 0 ? { onCancel: leaveForm } : {})}
            />
          ) : (
            <Button icon={IconPlus} onClick={() => setForm("asked for")}>
              New schedule
            </Button>
          ))}
      </div>
    </Dialog>
  );
};
