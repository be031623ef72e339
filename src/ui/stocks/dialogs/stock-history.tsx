/** What happened to a stock: who changed what, from which value to which, newest first. */
import { useState } from "preact/hooks";
import type { StockEventView } from "../../../contract/get-stock.ts";
import type { Stock } from "../../../contract/stock.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { Button } from "../../parts/button.tsx";
import { historyLines, historyTitle } from "./history-lines.ts";
import { RunLink } from "./run-link.tsx";

/** Changes that are shown at first. */
const FIRST = 5;

type StockHistoryProps = {
  readonly stock: Stock;
  readonly events: readonly StockEventView[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
};

/** The latest 50 changes, as the server gives them. */
export const StockHistory = ({ stock, events, error, onRetry }: StockHistoryProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? events : events?.slice(0, FIRST);
  return (
    <section class="stock-history">
      <h3>History</h3>
      {!events && !error && <div class="skeleton" aria-hidden="true" />}
      {!events && error && (
        <p>
          {error.message}{" "}
          <Button isSmall onClick={onRetry}>
            Try again
          </Button>
        </p>
      )}
      <ol>
        {shown?.map((event) => (
          <HistoryEntry key={event.id} event={event} currency={stock.currency} />
        ))}
      </ol>
      {events && shown && events.length > shown.length && (
        <Button isSmall onClick={() => setWhole(true)}>
          Show all {events.length} changes
        </Button>
      )}
    </section>
  );
};

const HistoryEntry = ({ event, currency }: { readonly event: StockEventView; readonly currency: string }) => {
  const locale = navigator.language;
  const at = formatRelativeTime(event.at, new Date(), locale);
  return (
    <li>
      <p>
        {historyTitle(event)} <Who event={event} />
        {", "}
        <time class="muted" dateTime={event.at} title={new Date(event.at).toLocaleString(locale)}>
          {at.text}
        </time>
      </p>
      <ul>
        {historyLines(event, currency, locale).map(({ field, label, before, after }) => (
          <li key={field}>
            <span class="muted">{label}:</span>{" "}
            {before !== undefined && (
              <>
                <del>
                  <span class="vh">was </span>
                  {before}
                </del>{" "}
                <span aria-hidden="true">→</span>
                <span class="vh">is now</span>{" "}
              </>
            )}
            {after}
          </li>
        ))}
      </ul>
    </li>
  );
};

const Who = ({ event: { via, runId } }: { readonly event: StockEventView }) => {
  if (via === "agent") return <>by {runId === null ? "the agent" : <RunLink runId={runId} />}</>;
  return <>{via === "import" ? "by an import" : "by you"}</>;
};
