/** The facts of a stock, in groups. Unknown values are left out or shown as a dash, never as 0. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { ABOUT_FIELDS, fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { formatMoney, formatPrice } from "../../format/format-money.ts";
import { formatPercent, formatQuantity, LOCALE } from "../../format/format-number.ts";
import { Badge } from "../../parts/badge.tsx";
import { fieldText } from "../form/field-text.ts";
import { awayWords, gainClass } from "../list/row/row-figures.tsx";
import { LastPrice } from "./last-price.tsx";
import { MarketChoice } from "./market-choice.tsx";
import { PriceForm } from "./price-form.tsx";
import { PriceSource, SplitCard } from "./price-source.tsx";
import { TargetNotice } from "./target-notice.tsx";

/** Labels of reached targets. */
const HITS = { below_low: "Buy target reached", above_high: "Sell target reached" } as const;

type StockFactsProps = {
  readonly stock: Stock;
  /** What follows the price: its chart. */
  readonly children?: ComponentChildren;
};

export const StockFacts = ({ stock, children }: StockFactsProps) => {
  const { currency, targetState } = stock;
  const price = (amount: string | null): string => formatPrice(amount, currency, LOCALE);
  const hit = targetState === "below_low" || targetState === "above_high" ? HITS[targetState] : undefined;
  const isLinked = stock.instrument !== null;
  const isHeld = stock.status === "holding";
  // The form comes first where it is needed most, and stays there, with the focus, once there is a price.
  const [isFormFirst] = useState(!isLinked || stock.lastPrice === null);
  const hasTarget = stock.targetLow !== null || stock.targetHigh !== null;
  return (
    <div class="stock-facts">
      {(stock.name !== stock.symbol || hit) && (
        <p class="stock-name">
          {stock.name !== stock.symbol && <bdi>{stock.name}</bdi>} {hit && <Badge tone="hit">{hit}</Badge>}
        </p>
      )}
      <SplitCard stock={stock} />
      <LastPrice stock={stock} />
      {/* Without a source the price is the number that people change most. */}
      {(isFormFirst || !isLinked) && (
        <div class="own-price">
          {!isLinked && <PriceSource stock={stock} />}
          <PriceForm stock={stock} />
        </div>
      )}
      <MarketChoice stock={stock} />
      {children}
      {isHeld && (
        <Group title="Position">
          <Fact label="Value">{formatMoney(stock.marketValue, currency, LOCALE)}</Fact>
          <Fact label="Gain">
            <span class={gainClass(stock.gain)}>
              {formatMoney(stock.gain, currency, LOCALE, { isSigned: true })}
              {stock.gainPct !== null && ` (${formatPercent(stock.gainPct, LOCALE)})`}
            </span>
          </Fact>
          <Fact label="Quantity">{formatQuantity(stock.quantity, LOCALE)}</Fact>
          <Fact label="Average cost">{price(stock.avgCost)}</Fact>
          <Fact label="Total cost">{formatMoney(stock.costBasis, currency, LOCALE)}</Fact>
        </Group>
      )}
      {hasTarget && (
        <Group title="Targets" after={<TargetNotice stock={stock} />}>
          {stock.targetLow !== null && <Fact label="Buy at or below">{price(stock.targetLow)}</Fact>}
          {stock.targetHigh !== null && <Fact label="Sell at or above">{price(stock.targetHigh)}</Fact>}
          {!hit && stock.distanceToTargetPct !== null && (
            <Fact label="Nearest target">
              {nearestSide(stock)}, {awayWords(stock.distanceToTargetPct)}
            </Fact>
          )}
        </Group>
      )}
      {isLinked && (
        <section>
          <h3>Price source</h3>
          <div class="own-price">
            <PriceSource stock={stock} />
            {!isFormFirst && <PriceForm stock={stock} />}
          </div>
        </section>
      )}
      <Group title="About">
        {ABOUT_FIELDS.map((field) => (
          <AboutFact key={field} stock={stock} field={field} />
        ))}
      </Group>
      {stock.notes !== null && (
        <section>
          <h3>Notes</h3>
          <p class="notes-text" dir="auto">
            {stock.notes}
          </p>
        </section>
      )}
    </div>
  );
};

type AboutFactProps = { readonly stock: Stock; readonly field: (typeof ABOUT_FIELDS)[number] };

const AboutFact = ({ stock, field }: AboutFactProps) => {
  const value = stock[field];
  if (value === null || value.length === 0) return null;
  return (
    <Fact label={fieldSpec(field).label}>
      {field === "tags" ? (
        <span class="tag-row">
          {stock.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ) : (
        fieldText(field, value, stock.currency, LOCALE)
      )}
    </Fact>
  );
};

/** Which target is nearest, for a stock that has a target and a price that has not reached any. */
const nearestSide = ({ lastPrice, targetLow, targetHigh }: Stock): "Buy" | "Sell" => {
  if (targetLow === null || targetHigh === null) return targetHigh === null ? "Buy" : "Sell";
  return Number(lastPrice) - Number(targetLow) <= Number(targetHigh) - Number(lastPrice) ? "Buy" : "Sell";
};

type GroupProps = {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What follows the facts. */
  readonly after?: ComponentChildren;
};

const Group = ({ title, children, after }: GroupProps) => (
  <section>
    <h3>{title}</h3>
    <dl class="facts">{children}</dl>
    {after}
  </section>
);

const Fact = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
