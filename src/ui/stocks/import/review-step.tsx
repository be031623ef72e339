/** The second step: how the text was read, what can be changed about it, and what would happen to each line. */
import { useMemo } from "preact/hooks";
import type { OnConflict } from "../../../contract/stocks/add-stock.ts";
import { DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { ColumnMapping } from "./column-mapping.tsx";
import { countOutcomes } from "./import-results.ts";
import { currencyOfPair, listGuesses } from "./read/guess-market.ts";
import type { ImportChoices } from "./read/import-choices.ts";
import type { ImportRow } from "./read/import-row.ts";
import type { ImportReading } from "./read/read-import.ts";
import { ReadingChoices } from "./reading-choices.tsx";
import { RowList } from "./row-list.tsx";
import { judgeRows, sayCounts } from "./row-verdict.ts";
import { StepHeading, VerdictCounts } from "./step-heading.tsx";
import type { Review, ReviewCheck } from "./use-review.ts";

type ReviewStepProps = {
  readonly review: Review;
  readonly choices: ImportChoices;
  readonly onChoose: (choices: ImportChoices) => void;
  readonly onConflict: OnConflict;
  readonly onPickConflict: (onConflict: OnConflict) => void;
};

const CONFLICT_OPTIONS = [
  ["skip", "Skip them"],
  ["update", "Update them"],
  ["error", "Report them as problems"],
] as const;

export const ReviewStep = ({ review, choices, onChoose, onConflict, onPickConflict }: ReviewStepProps) => {
  const { reading, rows, check } = review;
  const judged = useMemo(() => judgeRows(rows, check.results, "check"), [rows, check.results]);
  const currency = choices.currency ?? DEFAULT_CURRENCY;
  const { skipped } = countOutcomes(check.results);
  const isByIsin = reading.kind === "table" && reading.isByIsin;
  const hasSymbols = reading.kind !== "table" || isByIsin || reading.columns.some(({ field }) => field === "symbol");
  return (
    <>
      <StepHeading>Preview</StepHeading>
      {reading.kind === "refused" ? (
        <p class="import-problem">{reading.problem}</p>
      ) : (
        <>
          {check.problem !== undefined && (
            <p class="import-problem" role="alert">
              {check.problem}
            </p>
          )}
          {!check.isDone && check.problem === undefined && (
            <progress class="import-progress" aria-label="Checking" value={check.share} max={1} />
          )}
          {hasSymbols ? (
            <VerdictCounts judged={judged} />
          ) : (
            <p class="import-problem" role="alert">
              No column holds the symbols, and without one nothing can be imported. Choose it under “Columns”, or add
              one to the file.
            </p>
          )}
          {reading.kind === "table" && reading.linesAbove > 0 && (
            <p class="muted">
              {formatCount(reading.linesAbove, "line", "lines", LOCALE)} above the header{" "}
              {reading.linesAbove === 1 ? "is" : "are"} left out.
            </p>
          )}
          {isByIsin && (
            <p class="muted">
              No column holds the symbols, so each stock is listed by its ISIN. You can give it its symbol later; the
              next import still finds it.
            </p>
          )}
          <Guesses rows={rows} />
          {isWithoutCurrency(reading, currency) && (
            <p class="muted">No column says the currency: read as {currency}. Another can be chosen under “Options”.</p>
          )}
          {skipped > 0 && (
            <p class="muted">
              {formatCount(skipped, "stock is", "stocks are", LOCALE)} in your list already. Under “Options” you can
              choose to update {skipped === 1 ? "it" : "them"}.
            </p>
          )}
          {reading.kind === "table" && (
            <ColumnMapping columns={reading.columns} choices={choices} onChoose={onChoose} />
          )}
          {/* Open where nothing can be imported before the person has chosen. */}
          <details class="import-options" open={reading.kind === "table" && reading.decimals === null}>
            <summary>
              <strong>Options</strong>
            </summary>
            <div class="import-choices">
              <ReadingChoices reading={reading} choices={choices} onChoose={onChoose} />
              <Field label="Stocks already in the list">
                {(control) => (
                  <Select {...control} value={onConflict} options={CONFLICT_OPTIONS} onPick={onPickConflict} />
                )}
              </Field>
            </div>
          </details>
          {hasSymbols && <RowList judged={judged} />}
        </>
      )}
      <p class="vh" role="status">
        {check.isDone && reading.kind !== "refused" && hasSymbols ? `Checked ${sayCounts(judged, LOCALE)}` : ""}
      </p>
    </>
  );
};

/** Whether a table's stocks are assumed to be in the currency `read`. Where a symbol or the list names another one, a message says so. */
export const isWithoutCurrency = (reading: ImportReading, read: string): boolean =>
  reading.kind === "table" &&
  reading.currency === undefined &&
  !reading.columns.some(({ field }) => field === "currency") &&
  reading.rows.some(
    (row) =>
      row.kind === "draft" &&
      row.guess === undefined &&
      (row.draft.currency ?? read) === read &&
      currencyOfPair(row.draft.symbol) === undefined,
  );

/** Choices for the market and the currency where the file does not name them. Each row shows its own as well. */
const Guesses = ({ rows }: { readonly rows: readonly ImportRow[] }) => {
  const guesses = useMemo(() => listGuesses(rows), [rows]);
  if (guesses.length === 0) return null;
  return (
    <p class="muted">
      Market and currency are guessed from the endings of the symbols, or the currency from the market:{" "}
      {guesses.join("; ")}. To change the currency of several stocks at once, choose Select in the list's menu.
    </p>
  );
};

type ReviewFooterProps = { readonly review: Review; readonly onBack: () => void; readonly onImport: () => void };

/** Says how many stocks will be imported. Waits for the check, so that nobody confirms what they have not seen. */
export const ReviewFooter = ({ review: { check, checkAgain }, onBack, onImport }: ReviewFooterProps) => {
  const { created, restored, updated } = countOutcomes(check.results);
  const count = created + restored + updated;
  const next = nextStep(check, count);
  return (
    <>
      <Button class="start" onClick={onBack}>
        Back
      </Button>
      {/* Never disabled: that would take the focus away from somebody who has just pressed "Check again". */}
      <Button
        tone="primary"
        aria-disabled={next.can === "wait"}
        onClick={() => {
          if (next.can === "import") onImport();
          if (next.can === "check") checkAgain();
        }}
      >
        {next.words}
      </Button>
    </>
  );
};

const nextStep = (check: ReviewCheck, count: number): { can: "wait" | "check" | "import"; words: string } => {
  if (check.problem !== undefined) return { can: "check", words: "Check again" };
  if (!check.isDone) return { can: "wait", words: "Checking" };
  if (count === 0) return { can: "wait", words: "Nothing to import" };
  return { can: "import", words: `Import ${formatCount(count, "stock", "stocks", LOCALE)}` };
};
