/** How the text was read, each guess with its alternatives. */
import { CURRENCY_CODES, DEFAULT_CURRENCY } from "../../../contract/currency-codes.ts";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { changeChoices } from "./change-choices.ts";
import type { DecimalStyle, ImportChoices } from "./import-choices.ts";
import type { ImportReading } from "./read-import.ts";

type ReadingChoicesProps = {
  readonly reading: Exclude<ImportReading, { kind: "refused" }>;
  readonly choices: ImportChoices;
  readonly onChoose: (choices: ImportChoices) => void;
};

const SHAPES = [
  ["table", "A table"],
  ["list", "A line for each stock"],
] as const;
const DELIMITERS = [
  [",", "Comma"],
  [";", "Semicolon"],
  ["\t", "Tab"],
  ["|", "Bar |"],
] as const;
const HEADERS = [
  ["yes", "Column names"],
  ["no", "A stock"],
] as const;
const STYLES = [
  ["point", "1,234.5"],
  ["comma", "1.234,5"],
] as const satisfies readonly (readonly [DecimalStyle, string])[];
const UNKNOWN = ["", "Please choose"] as const;
const BY_LOCALE = ["", "As in your language"] as const;
const LOTS = [
  ["merge", "Count them together"],
  ["separate", "Take the first"],
] as const;

const CURRENCIES = [...CURRENCY_CODES].sort().map((code) => [code, code] as const);

/** Which program wrote the file, where that is known. */
const ORIGINS = {
  own: "An export of this app",
  yahoo: "A Yahoo Finance portfolio",
  wealthfolio: "A Wealthfolio export",
  table: "A table",
} as const;

/** Choices that fit what was read. */
export const ReadingChoices = ({ reading, choices, onChoose }: ReadingChoicesProps) => {
  const change = (part: Omit<ImportChoices, "mapping">): void => onChoose(changeChoices(choices, part));
  if (reading.kind === "json") return <p class="muted">JSON with the fields of stocks.</p>;
  const isTable = reading.kind === "table";
  const decimals = isTable ? reading.decimals : (choices.decimals ?? null);
  const hasLots = reading.rows.some(({ kind }) => kind === "merged" || kind === "duplicate");
  const shapes = isTable ? ([["table", ORIGINS[reading.origin]], SHAPES[1]] as const) : SHAPES;
  const styles = decimals !== null ? STYLES : [isTable ? UNKNOWN : BY_LOCALE, ...STYLES];
  return (
    <>
      <Field label="Read as">
        {(control) => (
          <Select {...control} value={reading.kind} options={shapes} onPick={(shape) => change({ shape })} />
        )}
      </Field>
      {isTable && (
        <Field label="Between columns">
          {(control) => (
            <Select
              {...control}
              value={DELIMITERS.find(([mark]) => mark === reading.delimiter)?.[0] ?? ","}
              options={DELIMITERS}
              onPick={(delimiter) => change({ delimiter })}
            />
          )}
        </Field>
      )}
      {isTable && (
        <Field label="First line">
          {(control) => (
            <Select
              {...control}
              value={reading.hasHeader ? "yes" : "no"}
              options={HEADERS}
              onPick={(answer) => change({ hasHeader: answer === "yes" })}
            />
          )}
        </Field>
      )}
      <Field label="Numbers">
        {(control) => (
          <Select
            {...control}
            value={decimals ?? ""}
            options={styles}
            onPick={(style) => style !== "" && change({ decimals: style })}
          />
        )}
      </Field>
      <Field label="Currency where none is given">
        {(control) => (
          <Select
            {...control}
            value={choices.currency ?? DEFAULT_CURRENCY}
            options={CURRENCIES}
            onPick={(currency) => change({ currency })}
          />
        )}
      </Field>
      {(hasLots || choices.lots !== undefined) && (
        <Field label="Several lines of one stock">
          {(control) => (
            <Select
              {...control}
              value={isTable ? reading.lots : (choices.lots ?? "separate")}
              options={LOTS}
              onPick={(lots) => change({ lots })}
            />
          )}
        </Field>
      )}
    </>
  );
};
