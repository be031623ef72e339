/** Gives the person a file of stocks. Loaded when it is asked for: few visits need it. */
import type { Stock } from "../../../contract/stock.ts";
import { exportCsv } from "./export-csv.ts";
import { exportFileName } from "./export-file-name.ts";
import { exportJson } from "./export-json.ts";

/** Sorted by symbol, then exchange, so that two exports can be compared line by line. */
export const saveExport = (stocks: readonly Stock[], kind: "csv" | "json", now: Date): void => {
  const keyOf = ({ symbol, exchange }: Stock): string => `${symbol} ${exchange ?? ""}`;
  const sorted = [...stocks].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const text = kind === "csv" ? exportCsv(sorted) : exportJson(sorted, now);
  const type = kind === "csv" ? "text/csv;charset=utf-8" : "application/json";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = exportFileName(now, kind);
  link.click();
  // The browser may still be reading it in this task.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
};

/** Long enough for a browser that asks where to save; the memory is a few MB at most. */
const REVOKE_MS = 60_000;
