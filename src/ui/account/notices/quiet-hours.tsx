import { useRef, useState } from "preact/hooks";
import type { QuietHours } from "../../../contract/notices/notice.ts";
import { Field } from "../../parts/field.tsx";
import { ownTimeZone, ZoneChoice } from "./zone-choice.tsx";

/** What quiet hours begin as. */
const NIGHT = { from: "22:00", to: "07:00" } as const;

type TimeFieldProps = {
  readonly label: string;
  readonly time: string;
  /** Gets a whole time that differs from `time`. */
  readonly onPick: (time: string) => void;
};

/**
 * A local time. A picked time counts at once; a typed one when Enter is pressed or the field is left, because browsers report each
 * digit as a change, and a time that is half typed may be refused.
 */
const TimeField = ({ label, time, onPick }: TimeFieldProps) => {
  /** The field's text while somebody is in the field and has changed it. */
  const [shown, show] = useState<string>();
  const isTyping = useRef(false);
  const take = (next: string | undefined): void => {
    if (next && next !== time) onPick(next);
  };
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="time"
          required
          value={shown ?? time}
          onKeyDown={({ key }) => {
            if (key === "Enter") take(shown);
            else isTyping.current = true;
          }}
          onChange={({ currentTarget: { value } }) => {
            show(value);
            if (!isTyping.current) take(value);
          }}
          onBlur={() => {
            isTyping.current = false;
            take(shown);
            show(undefined);
          }}
        />
      )}
    </Field>
  );
};

type QuietHoursFieldsProps = {
  readonly quietHours: QuietHours | null;
  readonly onChange: (quietHours: QuietHours | null) => void;
};

/** A switch, and two local times of a time zone. Two equal times are not saved. */
export const QuietHoursFields = ({ quietHours, onChange }: QuietHoursFieldsProps) => {
  const [problem, setProblem] = useState<string>();
  const change = (part: Partial<QuietHours>): void => {
    if (quietHours === null) return;
    const next = { ...quietHours, ...part };
    const isSame = next.from === next.to;
    setProblem(isSame ? "Not saved: use two different times." : undefined);
    if (!isSame) onChange(next);
  };
  return (
    <fieldset class="quiet-hours">
      <legend class="vh">Quiet hours</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={quietHours !== null}
          onChange={({ currentTarget }) => {
            setProblem(undefined);
            onChange(currentTarget.checked ? { ...NIGHT, timeZone: ownTimeZone() } : null);
          }}
        />
        Quiet hours
      </label>
      <p class="hint">Only what the agent asks comes through. Everything else waits until they end.</p>
      {quietHours && (
        <div class="times">
          {(["from", "to"] as const).map((end) => (
            <TimeField
              key={end}
              label={end === "from" ? "From" : "To"}
              time={quietHours[end]}
              onPick={(time) => change({ [end]: time })}
            />
          ))}
          <ZoneChoice timeZone={quietHours.timeZone} onPick={(timeZone) => change({ timeZone })} />
        </div>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
};
