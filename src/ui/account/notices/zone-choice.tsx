import { useMemo } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";

/** The browser's time zone, such as `Europe/Berlin`. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `_` becomes a blank: `America/New York`. */
const wordsOf = (timeZone: string): string => timeZone.replaceAll("_", " ");

type ZoneChoiceProps = { readonly timeZone: string; readonly onPick: (timeZone: string) => void };

/** All time zones that the browser knows, and the one that is chosen. */
export const ZoneChoice = ({ timeZone, onPick }: ZoneChoiceProps) => {
  const options = useMemo(
    () =>
      [...new Set([timeZone, ownTimeZone(), ...Intl.supportedValuesOf("timeZone")])]
        .sort()
        .map((zone) => [zone, wordsOf(zone)] as const),
    [timeZone],
  );
  return (
    <Field label="Time zone">
      {(control) => <Select {...control} value={timeZone} options={options} onPick={onPick} />}
    </Field>
  );
};
