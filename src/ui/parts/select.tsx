import { IconChevronDown } from "@tabler/icons-preact";
import type { JSX } from "preact";

type SelectProps<Value extends string> = Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onPick: (value: Value) => void;
  /** Its name, when there is no `<label>`. */
  readonly label?: string;
};

/** A native select. `onPick` gets one of the values in `options`. */
export const Select = <Value extends string>({ value, options, onPick, label, ...rest }: SelectProps<Value>) => (
  <span class="select">
    <select
      {...rest}
      class="input"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const picked = options.find(([option]) => option === currentTarget.value);
        if (picked) onPick(picked[0]);
      }}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
    <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
  </span>
);
