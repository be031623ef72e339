/** What each column of a table is taken for. */
import { useState } from "preact/hooks";
import { Select } from "../../parts/select.tsx";
import { mapColumn } from "./change-choices.ts";
import type { ImportChoices } from "./import-choices.ts";
import { FIELD_LABELS, type ImportField, STOCK_FIELDS } from "./import-field.ts";
import type { ImportColumn } from "./table-columns.ts";

type ColumnMappingProps = {
  readonly columns: readonly ImportColumn[];
  readonly choices: ImportChoices;
  readonly onChoose: (choices: ImportChoices) => void;
};

const FIELDS = [...STOCK_FIELDS, "transactionType", "snapshotDate"] as const satisfies readonly ImportField[];
const OPTIONS = [["", "Leave out"] as const, ...FIELDS.map((field) => [field, FIELD_LABELS[field]] as const)];

/** Left-out columns that are named before the rest is counted. */
const MAX_NAMED = 6;

/** Open from the start when no column holds the symbol, because nothing can be imported then. */
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
