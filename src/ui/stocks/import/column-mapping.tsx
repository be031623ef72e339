/** Shows the field of each column, and lets the person change it. */
import { useState } from "preact/hooks";
import { Select } from "../../parts/select.tsx";
import type { ImportChoices } from "./read/import-choices.ts";
import { columnLabel, IMPORT_FIELDS, type ImportField } from "./read/import-field.ts";
import type { ImportColumn } from "./read/table-columns.ts";

/** Applies a change. When the table is split differently, it has other columns, so the mapping is dropped. */
export const changeChoices = (choices: ImportChoices, change: Omit<ImportChoices, "mapping">): ImportChoices => {
  const isSplitAgain = "shape" in change || "delimiter" in change || "hasHeader" in change;
  const { mapping, ...rest } = choices;
  return { ...rest, ...(mapping === undefined || isSplitAgain ? {} : { mapping }), ...change };
};

/** Sets the field of a column, and leaves out another column that was chosen for that field. With null, the column itself is left out. */
export const mapColumn = (choices: ImportChoices, index: number, field: ImportField | null): ImportChoices => {
  const others = Object.entries(choices.mapping ?? {}).map(([place, held]) => [place, held === field ? null : held]);
  return { ...choices, mapping: { ...Object.fromEntries(others), [index]: field } };
};

type ColumnMappingProps = {
  readonly columns: readonly ImportColumn[];
  readonly choices: ImportChoices;
  readonly onChoose: (choices: ImportChoices) => void;
};

const OPTIONS = [["", "Leave out"] as const, ...IMPORT_FIELDS.map((field) => [field, columnLabel(field)] as const)];

/** How many of the left-out columns are named; the rest are only counted. */
const MAX_NAMED = 6;

/** Initially open when no column has the symbol, because then nothing can be imported. */
export const ColumnMapping = ({ columns, choices, onChoose }: ColumnMappingProps) => {
  const [isOpen, setOpen] = useState(!columns.some(({ field }) => field === "symbol"));
  const ignored = columns.filter(({ field }) => field === null);
  return (
    <details class="import-columns" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>Columns</strong> <span class="muted">{summaryOf(columns.length, ignored)}</span>
      </summary>
      {isOpen && (
        <ul>
          {columns.map(({ index, name, field, example }) => (
            <li key={index}>
              <span class="import-column">
                <span>{name}</span>
                <span class="muted">{example === "" ? "empty" : example}</span>
              </span>
              <Select
                label={`Column ${name} holds`}
                value={field ?? ""}
                options={OPTIONS}
                onPick={(picked) => onChoose(mapColumn(choices, index, picked === "" ? null : picked))}
              />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
};

const summaryOf = (count: number, ignored: readonly ImportColumn[]): string => {
  if (ignored.length === 0) return count === 1 ? "1, used" : `all ${count} used`;
  const more = ignored.length - MAX_NAMED;
  const named = ignored.slice(0, MAX_NAMED).map(({ name }) => name);
  return `${count - ignored.length} used, left out: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};
