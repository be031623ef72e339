/** The history of a stock: who changed what, from which value to which, newest first. */
import { useState } from "preact/hooks";
import { chatPath } from "../../../contract/app-paths.ts";
import type { MAX_EVENTS, StockEventView } from "../../../contract/stocks/get-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { FORM_FIELDS, type FormField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { LOCALE, WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { Button } from "../../parts/button.tsx";
import { fieldText } from "../form/field-text.ts";

/** One changed field. `before` is undefined for a new stock. */
type HistoryLine = {
  readonly field: FormField;
  readonly label: string;
  readonly before: string | undefined;
  readonly after: string;
};

const TITLES = { add: "Added", update: "Changed", delete: "Deleted", restore: "Restored" } as const;

/** `Added`, `Changed` … */
const historyTitle = ({ action }: StockEventView): string => TITLES[action];

/** The changed fields, in the order of the form. For a new stock, its first values, without the obvious ones. */
export const historyLines = (event: StockEventView, currency: string, locale: string): readonly HistoryLine[] => {
  const { before, after } = event;
  const isShown = (field: FormField): boolean =>
    Object.hasOwn(after, field) && (before !== null || (!OBVIOUS.has(field) && !isEmpty(after[field])));
  const text = (values: Readonly<Record<string, unknown>>, field: FormField): string =>
    // The event may have changed the currency.
    fieldText(field, values[field], typeof values.currency === "string" ? values.currency : currency, locale);
  return FORM_FIELDS.filter(isShown).map((field) => ({
    field,
    label: fieldSpec(field).label,
    before: before === null ? undefined : text(before, field),
    after: text(after, field),
  }));
};

/** The currency after each event, newest first, for amounts of events that name none. `currency` is the current one. */
export const currenciesOf = (events: readonly StockEventView[], currency: string): readonly string[] => {
  let earlier = currency;
  return events.map(({ before }) => {
    const then = earlier;
    if (typeof before?.currency === "string") earlier = before.currency;
    return then;
  });
};

/** Fields that every new stock has. */
const OBVIOUS: ReadonlySet<FormField> = new Set(["symbol", "name", "currency", "assetType", "watched"]);

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** The number of changes shown at first. */
const FIRST = 5;

/** Most changes that the server returns, the latest. Written out, because the contract's own constant would come with zod. */
const MOST: typeof MAX_EVENTS = 50;

/** The label of the button that shows the rest of `count` changes. */
export const restLabel = (count: number): string => `Show ${count < MOST ? "all" : "the latest"} ${count} changes`;

type StockHistoryProps = {
  readonly stock: Stock;
  readonly events: readonly StockEventView[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
};

export const StockHistory = ({ stock, events, error, onRetry }: StockHistoryProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? events : events?.slice(0, FIRST);
  const currencies = currenciesOf(events ?? [], stock.currency);
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
        {shown?.map((event, nth) => (
          <HistoryEntry key={event.id} event={event} currency={currencies[nth] ?? stock.currency} />
        ))}
      </ol>
      {events && shown && events.length > shown.length && (
        <Button isSmall onClick={() => setWhole(true)}>
          {restLabel(events.length)}
        </Button>
      )}
      {isWhole && events && events.length >= MOST && (
        <p class="muted">Any earlier changes are in the export of your data: see Account, under Your data.</p>
      )}
    </section>
  );
};

const HistoryEntry = ({ event, currency }: { readonly event: StockEventView; readonly currency: string }) => {
  const at = formatRelativeTime(event.at, new Date(), WORDS_LOCALE);
  return (
    <li>
      <p>
        {historyTitle(event)} <Who event={event} />
        {", "}
        <time class="muted" dateTime={event.at} title={new Date(event.at).toLocaleString(WORDS_LOCALE)}>
          {at.text}
        </time>
      </p>
      <ul>
        {historyLines(event, currency, LOCALE).map(({ field, label, before, after }) => (
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

const Who = ({ event: { via, threadId, undoesRunId } }: { readonly event: StockEventView }) => {
  if (undoesRunId) return <>by you, undoing the agent's change</>;
  if (via === "agent")
    return <>by {threadId === undefined ? "the agent" : <a href={chatPath(threadId)}>the agent</a>}</>;
  return <>{via === "import" ? "by an import" : "by you"}</>;
};
