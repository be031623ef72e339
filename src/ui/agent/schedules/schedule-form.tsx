/** A new schedule: what is sent, and when. The server checks the times; it says which field is wrong and what to do. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CreateScheduleInput } from "../../../contract/schedules/schedule.ts";
import { ownTimeZone, ZoneChoice } from "../../account/notices/zone-choice.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { createStore } from "../../state/store.ts";

/** The choices for when a schedule runs: a cron field for the days of the week, `once`, or `cron` for an expression that is typed. */
type WhenKind = "*" | "1-5" | "1" | "2" | "3" | "4" | "5" | "6" | "0" | "once" | "cron";

/** `time` is `HH:MM`, `date` `YYYY-MM-DD`; what the kind does not need is kept for when it is chosen again. */
type When = { readonly kind: WhenKind; readonly time: string; readonly date: string; readonly cron: string };

/** The choices with their names, the most common first. */
const WHEN_CHOICES: readonly (readonly [WhenKind, string])[] = [
  ["*", "Every day"],
  ["1-5", "Every weekday"],
  ["1", "Every Monday"],
  ["2", "Every Tuesday"],
  ["3", "Every Wednesday"],
  ["4", "Every Thursday"],
  ["5", "Every Friday"],
  ["6", "Every Saturday"],
  ["0", "Every Sunday"],
  ["once", "Once"],
  ["cron", "Cron expression"],
];

/** The times of a choice. Undefined while something is missing. */
const timingOf = ({
  kind,
  time,
  date,
  cron,
}: When): { readonly cron: string } | { readonly once: string } | undefined => {
  if (kind === "cron") return { cron };
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  if (kind !== "once") return { cron: `${Number(minute)} ${Number(hour)} * * ${kind}` };
  return date === "" ? undefined : { once: `${date}T${time}` };
};

/** What is wrong, by the field where it is said. */
export type ScheduleProblems = Partial<Record<"prompt" | "date" | "time" | "cron", string>>;

/** What a person has not entered. An expression is judged by the server. */
const missingOf = (prompt: string, { kind, time, date }: When): ScheduleProblems => ({
  ...(prompt.trim() === "" && { prompt: "Write what the agent should do." }),
  ...(kind === "once" && date === "" && { date: "Choose a date." }),
  ...(kind !== "cron" && time === "" && { time: "Choose a time." }),
});

/** What has been entered. `timeZone`: undefined until one is chosen. */
type ScheduleDraft = { readonly prompt: string; readonly when: When; readonly timeZone: string | undefined };

export const NO_DRAFT: ScheduleDraft = {
  prompt: "",
  when: { kind: "1", time: "08:00", date: "", cron: "" },
  timeZone: undefined,
};

/** Kept by the page: a press beside the dialog or on Back loses nothing. A store, as the dialog may be opened again while it is sent. */
export const scheduleDraft = createStore(NO_DRAFT);

type ScheduleFormProps = {
  readonly isBusy: boolean;
  /** The person asked for the form, so it takes the focus. */
  readonly hasFocus: boolean;
  readonly draft: ScheduleDraft;
  readonly onDraft: (draft: ScheduleDraft) => void;
  /** What the server refused. */
  readonly refused: ScheduleProblems | undefined;
  readonly onAdd: (input: CreateScheduleInput) => void;
  readonly onCancel?: () => void;
};

/** `onAdd` gets what the person has chosen; it is not checked beyond being there. */
export const ScheduleForm = ({ isBusy, hasFocus, draft, onDraft, refused, onAdd, onCancel }: ScheduleFormProps) => {
  const { prompt, when, timeZone = ownTimeZone() } = draft;
  const [missing, setMissing] = useState<ScheduleProblems>({});
  const form = useRef<HTMLFormElement>(null);
  const problems = { ...refused, ...missing };
  useLayoutEffect(() => {
    if (hasFocus) form.current?.querySelector("textarea")?.focus();
  }, []);
  // With the focus on its field, a problem is read aloud together with the field.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [missing, refused]);
  const set = (part: Partial<When>): void => onDraft({ ...draft, when: { ...when, ...part } });
  const add = (): void => {
    if (isBusy) return;
    const timing = timingOf(when);
    setMissing(missingOf(prompt, when));
    if (prompt.trim() !== "" && timing !== undefined) onAdd({ prompt, ...timing, timeZone });
  };
  return (
    <form
      ref={form}
      class="schedule-form"
      noValidate
      aria-label="New schedule"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field label="What should the agent do?" problem={problems.prompt}>
        {(control) => (
          <textarea
            {...control}
            class="input"
            rows={3}
            placeholder="Which targets are near?"
            value={prompt}
            onInput={({ currentTarget }) => onDraft({ ...draft, prompt: currentTarget.value })}
          />
        )}
      </Field>
      <div class="times">
        <Field label="When">
          {(control) => (
            <Select {...control} value={when.kind} options={WHEN_CHOICES} onPick={(kind) => set({ kind })} />
          )}
        </Field>
        {when.kind === "once" && (
          <Input label="Date" type="date" value={when.date} problem={problems.date} onPick={(date) => set({ date })} />
        )}
        {when.kind === "cron" ? (
          <Input
            label="Cron expression"
            type="text"
            value={when.cron}
            problem={problems.cron}
            hint="Minute, hour, day of the month, month, day of the week: 0 8 * * 1 is every Monday at 08:00."
            onPick={(cron) => set({ cron })}
          />
        ) : (
          <Input label="Time" type="time" value={when.time} problem={problems.time} onPick={(time) => set({ time })} />
        )}
        <ZoneChoice timeZone={timeZone} onPick={(zone) => onDraft({ ...draft, timeZone: zone })} />
      </div>
      <div class="row">
        <Button tone="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? "Adding…" : "Add schedule"}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
};

type InputProps = {
  readonly label: string;
  readonly type: "date" | "time" | "text";
  readonly value: string;
  readonly problem: string | undefined;
  readonly hint?: string;
  readonly onPick: (value: string) => void;
};

const Input = ({ label, type, value, problem, hint, onPick }: InputProps) => (
  <Field label={label} problem={problem} hint={hint}>
    {(control) => (
      <input
        {...control}
        class="input"
        type={type}
        autoComplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onPick(currentTarget.value)}
      />
    )}
  </Field>
);
