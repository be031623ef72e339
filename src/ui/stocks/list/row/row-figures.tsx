/** The computed figures of a row: amounts, age of the price, gain, targets. */
import type { Stock, TargetState } from "../../../../contract/stocks/stock.ts";
import { currencyDigits, fitMoney, fitPrice, formatMoney, formatPrice } from "../../../format/format-money.ts";
import {
  formatDecimal,
  formatPercent,
  formatQuantity,
  LOCALE,
  MISSING,
  WORDS_LOCALE,
} from "../../../format/format-number.ts";
import { priceWords } from "../../../format/price-age.ts";

/** Created once: creating one takes longer than drawing a row. */
const EXACT_TIME = new Intl.DateTimeFormat(WORDS_LOCALE, { dateStyle: "medium", timeStyle: "short" });

/** How old a price is, and whose. The exact time and the source are in the title. Shows nothing without a price. */
export const PriceAge = ({
  stock,
  now,
  isShort = false,
}: {
  readonly stock: Stock;
  readonly now: Date;
  readonly isShort?: boolean;
}) => {
  const { lastPriceAt, lastPriceSource } = stock;
  const title = [lastPriceAt && EXACT_TIME.format(new Date(lastPriceAt)), lastPriceSource].filter(Boolean).join(", ");
  const words = priceWords(stock, now.getTime(), isShort);
  return (
    words && (
      <time class="cut" dateTime={lastPriceAt ?? undefined} title={title}>
        {words}
      </time>
    )
  );
};

/** A text, never cut off. A shortened one has the whole text in its title. */
const titled = (short: string, whole: string) => (short === whole ? whole : <span title={whole}>{short}</span>);

/** A value or a gain in at most about `room` characters. */
export const shownMoney = (amount: string | null, currency: string, room: number, isSigned = false) =>
  amount === null
    ? MISSING
    : titled(fitMoney(amount, currency, LOCALE, room, isSigned), formatMoney(amount, currency, LOCALE, { isSigned }));

/** A price, as exact as the room allows. */
export const shownPrice = (price: string | null, currency: string, room: number) =>
  price === null ? MISSING : titled(fitPrice(price, currency, LOCALE, room), formatPrice(price, currency, LOCALE));

/** A price without its currency, which the row shows elsewhere. */
const writeBare = (price: string, currency: string): string =>
  formatDecimal(price, LOCALE, { minimumFractionDigits: currencyDigits(currency) });

const SHORT = { notation: "compact", maximumSignificantDigits: 3 } as const;

/** A price in hundredths says so, because the value above is in the major currency. */
const HUNDREDTHS: Readonly<Record<string, string>> = { GBX: "p", ZAC: "c", ILA: " ILA" };

/** Longest quantity that is written out, in characters. */
const QUANTITY_ROOM = 7;

/**
 * A quantity, and its price if there is one and room for both: `60 × $180.00`, or `60 @ $180.00` below a value that is not their product.
 * The digits of the price matter more than its currency, which other amounts of the row show.
 */
export const shownHolding = ({ quantity, currency }: Stock, price: string | null, room: number, by = " × ") => {
  const all = formatQuantity(quantity, LOCALE);
  const whole = price === null ? all : all + by + formatPrice(price, currency, LOCALE);
  if (whole.length <= room) return whole;
  const bare = all + by + writeBare(price ?? "", currency) + (HUNDREDTHS[currency] ?? "");
  if (bare.length <= room) return titled(bare, whole);
  const some = all.length <= QUANTITY_ROOM ? all : formatDecimal(quantity ?? "", LOCALE, SHORT);
  const short = price === null ? some : some + by + fitPrice(price, currency, LOCALE, room - some.length - by.length);
  return titled(short.length <= room ? short : some, whole);
};

type DayChangeProps = { readonly stock: Stock; readonly isLong?: boolean };

/** The change of the last price that day, in per cent. The amount per share is in the title, and if `isLong` beside it. */
export const DayChange = ({ stock: { dayChange, dayChangePct, currency, priceState }, isLong }: DayChangeProps) => {
  const amount = formatPrice(dayChange, currency, LOCALE, true);
  return (
    <span class={priceState === "stale" ? "stale" : gainClass(dayChange)} title={`${amount} a share`}>
      {formatPercent(dayChangePct, LOCALE)}
      {isLong && ` (${amount})`}
    </span>
  );
};

/** The colour class of a gain; undefined for 0 and for an unknown gain. */
export const gainClass = (gain: string | null): string | undefined =>
  gain === null || gain === "0" ? undefined : gain.startsWith("-") ? "loss" : "gain";

type GainFigureProps = {
  readonly gain: string | null;
  readonly percent: string | null;
  readonly currency: string;
  /** In characters, for the amount. */
  readonly room: number;
};

export const GainFigure = ({ gain, percent, currency, room }: GainFigureProps) => (
  <span class={gainClass(gain)}>
    {shownMoney(gain, currency, room, true)}
    {percent !== null && <small class="percent">{formatPercent(percent, LOCALE)}</small>}
  </span>
);

const HITS: Partial<Record<TargetState, string>> = { below_low: "buy", above_high: "sell" };

/**
 * Says that the last price has reached a target, or that a split waits for an answer: until then no target is hit. Never hidden for lack of
 * room, unlike `StockBadges`; where room is short, only screen readers get the middle word.
 */
export const TargetBadge = ({ stock: { targetState, pendingSplit } }: { readonly stock: Stock }) => {
  if (pendingSplit) return <span class="badge warn">split</span>;
  const hit = targetState && HITS[targetState];
  return hit ? (
    <span class="badge hit">
      {hit}
      <span class="side"> target</span> reached
    </span>
  ) : null;
};

/** Room for each target, in characters. */
const TARGET_ROOM = 7;

/** With a single target, the scale ends this far from it, as a fraction of the target. */
const REACH = 0.5;

/** Where the price is on the scale, from 0 to 1; undefined without a price or a target. */
export const targetPlace = ({ lastPrice, targetLow, targetHigh }: Stock): number | undefined => {
  if (lastPrice === null || (targetLow === null && targetHigh === null)) return undefined;
  const price = Number(lastPrice);
  const low = targetLow === null ? Number(targetHigh) * (1 - REACH) : Number(targetLow);
  const high = targetHigh === null ? Number(targetLow) * (1 + REACH) : Number(targetHigh);
  // Both targets may be the same price: then there is only below and above.
  if (high <= low) return price < low ? 0 : 1;
  return Math.min(Math.max((price - low) / (high - low), 0), 1);
};

/** A distance has no sign, unlike a change, and is never as long as a price. */
const AWAY = { ...SHORT, style: "unit", unit: "percent" } as const;

/** `17.8% away`, for a distance above 0. */
export const awayWords = (percent: string): string => `${formatDecimal(percent, LOCALE, AWAY)} away`;

/** The targets, without the currency that the row already shows, and how far the nearest is. Nothing without a target. */
export const TargetRange = ({ stock }: { readonly stock: Stock }) => {
  const { targetLow, targetHigh, currency, distanceToTargetPct: away } = stock;
  if (targetLow === null && targetHigh === null) return null;
  const place = targetPlace(stock);
  const write = (target: string) => {
    const whole = writeBare(target, currency);
    return titled(whole.length > TARGET_ROOM ? formatDecimal(target, LOCALE, SHORT) : whole, whole);
  };
  const far = away !== null && away > "0" && awayWords(away);
  const said = [
    targetLow !== null && `buy at ${formatPrice(targetLow, currency, LOCALE)}`,
    targetHigh !== null && `sell at ${formatPrice(targetHigh, currency, LOCALE)}`,
    far,
  ];
  return (
    <span class="range" role="img" aria-label={`Targets: ${said.filter(Boolean).join(", ")}`}>
      {targetLow !== null && <span>{write(targetLow)}</span>}
      <i>{place !== undefined && <b class="at" style={{ insetInlineStart: `${place * 100}%` }} />}</i>
      {targetHigh !== null && <span>{write(targetHigh)}</span>}
      {far && <span>{far}</span>}
    </span>
  );
};
