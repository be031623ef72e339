/** Reads the text and, once the list is here, asks the server in a dry run what would happen to each row. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { OnConflict } from "../../../contract/stocks/add-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { runAction } from "../../api/run-action.ts";
import { LOCALE } from "../../format/format-number.ts";
import { useStockList } from "../store/use-stock-list.ts";
import { applyRenames, findRenames } from "./as-listed.ts";
import { planBatches, sendBatches } from "./import-batches.ts";
import type { ImportResults } from "./import-results.ts";
import type { ImportChoices } from "./read/import-choices.ts";
import type { ImportRow } from "./read/import-row.ts";
import { type ImportReading, readImport } from "./read/read-import.ts";

/** The dry run. `share` is the part that has been answered, from 0 to 1. */
export type ReviewCheck = {
  readonly results: ImportResults;
  readonly share: number;
  readonly isDone: boolean;
  /** Why it stopped, or cannot begin. */
  readonly problem: string | undefined;
};

export type Review = {
  readonly reading: ImportReading;
  readonly rows: readonly ImportRow[];
  readonly check: ReviewCheck;
  readonly checkAgain: () => void;
};

const NO_STOCKS: readonly Stock[] = [];
const NO_ROWS: readonly ImportRow[] = [];
const UNCHECKED: ReviewCheck = { results: new Map(), share: 0, isDone: false, problem: undefined };

/** An empty text is not sent. */
export const useReview = (text: string, choices: ImportChoices, onConflict: OnConflict): Review => {
  const read = useMemo(() => readImport(text, LOCALE, choices), [text, choices]);
  const { list, error, isFetching, retry } = useStockList();
  const isListed = list?.isComplete === true;
  const renames = useMemo(() => findRenames(read, list?.items ?? NO_STOCKS, choices.london), [read, list?.items]);
  const reading = useMemo(
    () => (read.kind === "refused" ? read : applyRenames(read, renames)),
    // By its text: a list that has changed, but renames nothing else, must not start the check again.
    [read, JSON.stringify(renames)],
  );
  const rows = reading.kind === "refused" ? NO_ROWS : reading.rows;
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState({ check: UNCHECKED, rows, onConflict });
  useEffect(() => {
    // A stock on a page of the list that is still to come would be taken for a new one.
    if (!isListed) return undefined;
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
  }, [rows, onConflict, tries, isListed]);
  // Results are stored by row index, so those of other rows do not apply.
  const isCurrent = known.rows === rows && known.onConflict === onConflict;
  const unlisted = { ...UNCHECKED, problem: isFetching ? undefined : error?.message };
  return {
    reading,
    rows,
    check: isListed ? (isCurrent ? known.check : UNCHECKED) : unlisted,
    checkAgain: () => (isListed ? setTries(tries + 1) : retry()),
  };
};
