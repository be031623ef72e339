/** A new schedule: what is sent, and when. The server checks the times; it says which field is wrong and what to do. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CreateScheduleInput } from "../../../contract/schedules/schedule.ts";
import { ownTimeZone, ZoneChoice } from "../../account/notices/zone-choice.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";

/** What a schedule can be chosen to be: a cron field of days of the week, or `once`, or an expression of its own. */
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
  ["cron", "By a cron expression"],
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

type ScheduleFormProps = {
  readonly isBusy: boolean;
  /** Whether it was asked for, and takes the focus. */
  readonly hasFocus: boolean;
  readonly onAdd: (input: CreateScheduleInput) => void;
  readonly onCancel?: () => void;
};

/** `onAdd` gets what the person has chosen; it is not checked beyond being there. */
export const ScheduleForm = ({ isBusy, hasFocus, onAdd, onCancel }: ScheduleFormProps) => {
  const [prompt, setPrompt] = useState("");
  const [when, setWhen] = useState<When>({ kind: "1", time: "08:00", date: "", cron: "" });
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const [problems, setProblems] = useState<{ readonly prompt?: string; readonly when?: string }>({});
  const first = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (hasFocus) first.current?.focus();
  }, []);
  const set = (part: Partial<When>): void => setWhen({ ...when, ...part });
  const add = (): void => {
    if (isBusy) return;
    const timing = timingOf(when);
    setProblems({
      ...(prompt.trim() === "" && { prompt: "Write what the agent should do." }),
      ...(timing === undefined && { when: "Choose a date and a time." }),
    });
    if (prompt.trim() === "") first.current?.focus();
    else if (timing !== undefined) onAdd({ prompt, ...timing, timeZone });
  };
  return (
    <form
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
            ref={first}
            class="input"
            rows={3}
            placeholder="Which targets are near?"
            value={prompt}
            onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        )}
      </Field>
      <div class="times">
        <Field label="When" problem={problems.when}>
          {(control) => (
            <Select {...control} value={when.kind} options={WHEN_CHOICES} onPick={(kind) => set({ kind })} />
          )}
        </Field>
        {when.kind === "once" && <Input label="Date" type="date" value={when.date} onPick={(date) => set({ date })} />}
        {when.kind === "cron" ? (
          <Input label="Cron expression" type="text" value={when.cron} onPick={(cron) => set({ cron })} />
        ) : (
          <Input label="Time" type="time" value={when.time} onPick={(time) => set({ time })} />
        )}
        <ZoneChoice timeZone={timeZone} onPick={setTimeZone} />
      </div>
      {when.kind === "cron" && (
        <p class="hint">Minute, hour, day of the month, month, day of the week: 0 8 * * 1 is every Monday at 08:00.</p>
      )}
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
  readonly onPick: (value: string) => void;
};

const Input = ({ label, type, value, onPick }: InputProps) => (
  <Field label={label}>
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
