/** The lines of an import with their outcomes: a table, or cards on a narrow screen. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import type { StockDraft } from "../../../contract/stocks/stock-values.ts";
import { formatPrice } from "../../format/format-money.ts";
import { formatQuantity, LOCALE } from "../../format/format-number.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { PHONE, useMedia } from "../../state/use-media.ts";
import type { JudgedRow } from "./row-verdict.ts";

/** `XNAS · 10 × $180.50 · last $190.00`, in the reader's locale. Empty when there is only a symbol and a name. */
const draftWords = (draft: StockDraft): string => {
  const price = (amount: string): string => formatPrice(amount, draft.currency ?? DEFAULT_CURRENCY, LOCALE);
  const { exchange, quantity, avgCost, lastPrice, targetLow, targetHigh } = draft;
  const held = quantity == null ? undefined : formatQuantity(quantity, LOCALE);
  return [
    exchange,
    held !== undefined && avgCost != null ? `${held} × ${price(avgCost)}` : held,
    lastPrice != null && `last ${price(lastPrice)}`,
    targetLow != null && `buy target ${price(targetLow)}`,
    targetHigh != null && `sell target ${price(targetHigh)}`,
  ]
    .filter(Boolean)
    .join(" · ");
};

/** Lines shown at first and added by each "Show more": few enough to render within a frame on a phone. */
const PAGE = 100;

export const RowList = ({ judged }: { readonly judged: readonly JudgedRow[] }) => {
  const isNarrow = useMedia(PHONE);
  const [limit, setLimit] = useState(PAGE);
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // The button may be gone now, and the person wants to read on.
    if (limit > PAGE) section.current?.querySelectorAll<HTMLElement>("tbody tr, li")[limit - PAGE]?.focus();
  }, [limit]);
  const shown = judged.slice(0, limit);
  const rest = judged.length - shown.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the dialog scrolls by keyboard from here.
    <section ref={section} class="import-list" aria-label="Lines and their outcomes" tabIndex={0}>
      {isNarrow ? <RowCards judged={shown} /> : <RowTable judged={shown} />}
      {rest > 0 && (
        <Button class="import-more" onClick={() => setLimit(limit + PAGE)}>
          Show {Math.min(rest, PAGE)} more of {rest}
        </Button>
      )}
    </section>
  );
};

const RowTable = ({ judged }: { readonly judged: readonly JudgedRow[] }) => (
  <table class="import-rows">
    <thead>
      <tr>
        <th scope="col" class="num">
          Line
        </th>
        <th scope="col">Stock</th>
        <th scope="col">Outcome</th>
      </tr>
    </thead>
    <tbody>
      {judged.map((one) => (
        <tr key={one.index} tabIndex={-1}>
          <td class="num muted">{one.row.line}</td>
          <td>
            <Subject {...one} />
          </td>
          <td>
            <Outcome {...one} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const RowCards = ({ judged }: { readonly judged: readonly JudgedRow[] }) => (
  <ul class="import-cards">
    {judged.map((one) => (
      <li key={one.index} tabIndex={-1}>
        <Subject {...one} />
        <span class="muted">Line {one.row.line}</span>
        <Outcome {...one} />
      </li>
    ))}
  </ul>
);

/** The stock that was read; or what is wrong, with the line below that; or the line alone. */
const Subject = ({ row, verdict }: JudgedRow) => {
  if (row.kind === "problem") {
    return (
      <span class="import-stock">
        <strong>{verdict.detail}</strong>
        <code class="import-line">{row.source.trim() || "(empty)"}</code>
      </span>
    );
  }
  if (row.kind !== "draft") return <code class="import-line">{row.source.trim() || "(empty)"}</code>;
  const { symbol, name } = row.draft;
  const words = draftWords(row.draft);
  return (
    <span class="import-stock">
      <strong>{symbol}</strong>
      {(name || words) && (
        <span class="muted">
          {name && <bdi>{name}</bdi>}
          {name && words && " · "}
          {words}
        </span>
      )}
    </span>
  );
};

const Outcome = ({ row, verdict }: JudgedRow) => (
  <span class="import-outcome">
    <Badge tone={verdict.tone}>{verdict.label}</Badge>
    {verdict.detail !== "" && row.kind !== "problem" && <span>{verdict.detail}</span>}
  </span>
);
