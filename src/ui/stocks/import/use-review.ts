/** What was read from the text, and what the server says would become of it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { OnConflict } from "../../../contract/add-stock.ts";
import { runAction } from "../../actions/call-action.ts";
import { LOCALE } from "../list/locale.ts";
import { planBatches } from "./import-batches.ts";
import type { ImportChoices } from "./import-choices.ts";
import type { ImportResults } from "./import-results.ts";
import type { ImportRow } from "./import-row.ts";
import { type ImportReading, readImport } from "./read-import.ts";
import { sendBatches } from "./send-batches.ts";

/** The dry run. `share` of it is answered, from 0 to 1. */
export type ReviewCheck = {
  readonly results: ImportResults;
  readonly share: number;
  readonly isDone: boolean;
  /** Why it stands still. */
  readonly problem: string | undefined;
};

export type Review = {
  readonly reading: ImportReading;
  readonly rows: readonly ImportRow[];
  readonly check: ReviewCheck;
  readonly checkAgain: () => void;
};

const NO_ROWS: readonly ImportRow[] = [];
const UNCHECKED: ReviewCheck = { results: new Map(), share: 0, isDone: false, problem: undefined };

/** Reads `text` and rehearses it; an empty text is not rehearsed. */
export const useReview = (text: string, choices: ImportChoices, onConflict: OnConflict): Review => {
  const reading = useMemo(() => readImport(text, LOCALE, choices), [text, choices]);
  const rows = reading.kind === "refused" ? NO_ROWS : reading.rows;
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState({ check: UNCHECKED, rows, onConflict });
  useEffect(() => {
    const batches = planBatches(rows, { onConflict, dryRun: true, importId: "" });
    let isStale = false;
    let check = UNCHECKED;
    const show = (part: Partial<ReviewCheck>): void => {
      if (isStale) return;
      check = { ...check, ...part };
      setKnown({ check, rows, onConflict });
    };
    show({});
    void sendBatches(
      batches,
      { next: 0, results: new Map() },
      {
        send: (input) => runAction("add-stock", input, { via: "import" }),
        onProgress: ({ next, results }) => show({ results, share: next / batches.length }),
        isStopped: () => isStale,
      },
    ).then((end) => show(end.kind === "failed" ? { problem: end.problem } : { isDone: true, share: 1 }));
    return () => {
      isStale = true;
    };
  }, [rows, onConflict, tries]);
  // Results are kept by the rows' places: those of other rows say nothing about these.
  const isCurrent = known.rows === rows && known.onConflict === onConflict;
  return { reading, rows, check: isCurrent ? known.check : UNCHECKED, checkAgain: () => setTries(tries + 1) };
};
