import { useState } from "preact/hooks";
import type { QuietHours } from "../../../contract/notices/notice.ts";
import { Field } from "../../parts/field.tsx";
import { ownTimeZone, ZoneChoice } from "./zone-choice.tsx";

/** What quiet hours begin as. */
const NIGHT = { from: "22:00", to: "07:00" } as const;

type QuietHoursFieldsProps = {
  readonly quietHours: QuietHours | null;
  readonly onChange: (quietHours: QuietHours | null) => void;
};

/** A switch, and two local times of a time zone. Times that cannot be are not saved. */
export const QuietHoursFields = ({ quietHours, onChange }: QuietHoursFieldsProps) => {
  const [problem, setProblem] = useState<string>();
  const change = (part: Partial<QuietHours>): void => {
    if (quietHours === null) return;
    const next = { ...quietHours, ...part };
    const isSame = next.from === next.to;
    setProblem(isSame ? "Not saved: use two different times." : undefined);
    if (!isSame && next.from && next.to) onChange(next);
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
            <Field key={end} label={end === "from" ? "From" : "To"}>
              {(control) => (
                <input
                  {...control}
                  class="input"
                  type="time"
                  required
                  value={quietHours[end]}
                  onChange={({ currentTarget }) => change({ [end]: currentTarget.value })}
                />
              )}
            </Field>
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
