/** What came of asking a source for newer prices, in words. No price is called newer than it is. */
import type { ActionOutput } from "../../contract/action.ts";
import type { Stock } from "../../contract/stocks/stock.ts";
import { ageWords } from "./price-age.ts";
import { type PriceRefusal, REFUSALS } from "./price-refusals.ts";

type Outcome = ActionOutput<"refresh-quotes">;

/** Most symbols named for one reason; the rest are counted. */
const MAX_NAMED = 5;

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

const named = (symbols: readonly string[]): string =>
  symbols.length <= MAX_NAMED
    ? symbols.join(", ")
    : `${symbols.slice(0, MAX_NAMED).join(", ")} and ${symbols.length - MAX_NAMED} more`;

/** Stocks that take their price from a source. */
const takingPrices = (stocks: readonly Stock[]): readonly Stock[] =>
  stocks.filter(({ instrument, autoPrice }) => instrument !== null && autoPrice);

/** `Prices are from 2 min ago, the oldest from 3 days ago.` */
const agesOfPrices = (stocks: readonly Stock[], nowMs: number): string => {
  const times = takingPrices(stocks)
    .flatMap(({ lastPriceAt }) => lastPriceAt ?? [])
    .sort();
  const [oldest, newest] = [times[0], times.at(-1)];
  if (oldest === undefined || newest === undefined) return "No price is known yet.";
  const [from = "", to = ""] = [oldest, newest].map((at) => ageWords(at, nowMs).replace("just now", "this minute"));
  const subject = times.length === 1 ? "The price is" : "Prices are";
  return from === to ? `${subject} from ${to}.` : `${subject} from ${to}, the oldest from ${from}.`;
};

/** `stocks` are those that were asked for, as they are now. */
export const refreshWords = (
  { accepted, pending, refused }: Outcome,
  stocks: readonly Stock[],
  nowMs: number,
): string => {
  if (accepted.length + pending.length + refused.length === 0) return "No source has prices for these stocks.";
  const reasons = Map.groupBy(refused, ({ reason }) => reason);
  return [
    agesOfPrices(stocks, nowMs),
    ...(pending.length === 0 ? [] : [`Still waiting: ${named(pending)}. They will follow.`]),
    ...[...reasons].map(([reason, all]) => refusalWords(reason, all)),
  ].join(" ");
};

const refusalWords = (reason: PriceRefusal, refused: Outcome["refused"]): string => {
  const [retryAt] = refused.flatMap(({ retryAt: at }) => at ?? []).sort();
  const again = retryAt === undefined ? "" : `, next try at ${TIME.format(new Date(retryAt))}`;
  return `${named(refused.map(({ symbol }) => symbol))}: ${REFUSALS[reason]}${again}.`;
};

/** For a second press within the minute, which asks no source. */
export const tooSoonWords = (stocks: readonly Stock[], nowMs: number): string =>
  `Prices were requested less than a minute ago. ${agesOfPrices(stocks, nowMs)}`;
