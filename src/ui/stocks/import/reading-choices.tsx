/** Shows how the text was read, with alternatives to each guess. */
import { DEFAULT_CURRENCY, offeredCurrencies } from "../../../contract/stocks/currency-codes.ts";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { changeChoices } from "./column-mapping.tsx";
import { isInPence } from "./read/guess-market.ts";
import type { DecimalStyle, ImportChoices } from "./read/import-choices.ts";
import type { ImportReading } from "./read/read-import.ts";

type ReadingChoicesProps = {
  readonly reading: Exclude<ImportReading, { kind: "refused" }>;
  readonly choices: ImportChoices;
  readonly onChoose: (choices: ImportChoices) => void;
};

const SHAPES = [
  ["table", "A table"],
  ["list", "One stock per line"],
] as const;
const DELIMITERS = [
  [",", "Comma"],
  [";", "Semicolon"],
  ["\t", "Tab"],
  ["|", "Pipe |"],
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
const BY_LOCALE = ["", "Your language's style"] as const;
const LOTS = [
  ["merge", "Combine them"],
  ["separate", "Use the first"],
] as const;

const LONDON = [
  ["", "Pence, some in pounds"],
  ["GBX", "All in pence (GBX)"],
  ["GBP", "All in pounds (GBP)"],
] as const;

const CURRENCIES = offeredCurrencies().map((code) => [code, code] as const);

/** The program that wrote the file. */
const ORIGINS = {
  own: "An export of this app",
  yahoo: "A Yahoo Finance portfolio",
  wealthfolio: "A Wealthfolio export",
  trades: "Purchases and sales",
  table: "A table",
} as const;

/** Shows only the choices that apply. */
export const ReadingChoices = ({ reading, choices, onChoose }: ReadingChoicesProps) => {
  const change = (part: Omit<ImportChoices, "mapping">): void => onChoose(changeChoices(choices, part));
  if (reading.kind === "json") return <p class="muted">A JSON list of stocks.</p>;
  const isTable = reading.kind === "table";
  const decimals = isTable ? reading.decimals : (choices.decimals ?? null);
  const hasLots = reading.rows.some(({ kind }) => kind === "merged" || kind === "duplicate");
  const isLondon = reading.rows.some((row) => row.kind === "draft" && row.guess && isInPence(row.guess));
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
        <Field label="Separator">
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
        <Field label={reading.linesAbove === 0 ? "First line" : `Line ${reading.linesAbove + 1}`}>
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
      <Field label="Default currency">
        {(control) => (
          <Select
            {...control}
            value={choices.currency ?? (isTable ? reading.currency : undefined) ?? DEFAULT_CURRENCY}
            options={CURRENCIES}
            onPick={(currency) => change({ currency })}
          />
        )}
      </Field>
      {(isLondon || choices.london !== undefined) && (
        <Field label="London (.L)">
          {(control) => (
            <Select
              {...control}
              value={choices.london ?? ""}
              options={LONDON}
              onPick={(picked) => {
                const { london: _, ...rest } = choices;
                onChoose(picked === "" ? rest : { ...rest, london: picked });
              }}
            />
          )}
        </Field>
      )}
      {(hasLots || choices.lots !== undefined) && (
        <Field label="Several lines for one stock">
          {(control) => <Select {...control} value={reading.lots} options={LOTS} onPick={(lots) => change({ lots })} />}
        </Field>
      )}
    </>
  );
};
