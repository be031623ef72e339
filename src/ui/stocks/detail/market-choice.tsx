/**
 * A stock without a market gets no price while several listings have its symbol, so the person chooses one (decision 0150). For a stock
 * that an import listed by its ISIN, they choose among the listings with that ISIN, and the stock gets the symbol too (decision 0233).
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { actionPath } from "../../../contract/action-path.ts";
import type { FindSymbolOutput, SymbolMatch } from "../../../contract/prices/find-symbol.ts";
import { withoutSuffix } from "../../../contract/prices/symbol-suffixes.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useQuotes } from "../../account/settings/use-quotes.ts";
import { requestJson } from "../../api/request-json.ts";
import { REFUSALS } from "../../format/price-refusals.ts";
import { announce } from "../../parts/announcer.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { followPrices } from "../store/follow-prices.ts";
import { errorText } from "../store/stock-failures.ts";
import { useStockStore } from "../store/stock-store.ts";
import { Problem, useChange } from "./use-change.tsx";

const STYLES = `
.market-choice { display: grid; gap: var(--s2); padding: var(--s4); border: 1px solid var(--line); border-radius: var(--r); }
.market-choice ul { display: grid; gap: var(--s2); margin: 0; padding: 0; list-style: none; }
.market-choice li .btn { justify-content: start; width: 100%; min-height: 44px; height: auto; text-align: start; white-space: normal; }
`;

type StockProps = { readonly stock: Stock };

/** Whether the stock has its ISIN in the place of a symbol. */
const isByIsin = ({ symbol, isin }: Pick<Stock, "symbol" | "isin">): boolean => symbol === isin;

/** A symbol with hyphens for dots: sources write the class of a share in either way. */
const hyphened = (symbol: string): string => symbol.replaceAll(".", "-");

/**
 * Shows nothing for a stock that has a listing, or a symbol and a market, or no price source. In a wide window it stays mounted while
 * the stock is edited: a new symbol drops what was found, a new currency sorts it again.
 */
export const MarketChoice = ({ stock }: StockProps) => {
  const { instrument, exchange, autoPrice } = stock;
  const isOpen = instrument === null && (exchange === null || isByIsin(stock)) && autoPrice;
  const quotes = useQuotes(isOpen);
  return isOpen && quotes?.hasKey ? <Choice key={stock.symbol} stock={stock} /> : null;
};

/** Listings of the stock's symbol: those in its currency, and the others. */
type Listings = { readonly fitting: readonly SymbolMatch[]; readonly others: readonly SymbolMatch[] };

/** The most listings that are asked for (api.md §8). */
const MAX_MATCHES = 20;

/** The source's listings that the stock may have. */
export const sortMatches = (
  matches: readonly SymbolMatch[],
  stock: Pick<Stock, "symbol" | "currency" | "isin">,
): Listings => {
  const { symbol, currency } = stock;
  // Not every source tells the ISIN of a listing, even when it was asked by ISIN.
  const isIts = (match: SymbolMatch): boolean =>
    isByIsin(stock) ? (match.isin ?? symbol) === symbol : hyphened(match.symbol) === hyphened(withoutSuffix(symbol));
  const listed = matches.filter((match) => match.source !== "list" && isIts(match));
  return {
    fitting: listed.filter((match) => match.currency === currency),
    others: listed.filter((match) => match.currency !== currency),
  };
};

const marketOf = ({ exchange, currency }: SymbolMatch): string => [exchange, currency].filter(Boolean).join(" · ");

const Choice = ({ stock }: StockProps) => {
  adoptStyles(STYLES);
  const store = useStockStore();
  const { isBusy, problem, change } = useChange(stock);
  const [matches, setMatches] = useState<readonly SymbolMatch[]>();
  const [isSearching, setSearching] = useState(false);
  const [failure, setFailure] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const { symbol } = stock;
  const wanted = isByIsin(stock) ? "symbol" : "market";
  const listings = matches && sortMatches(matches, stock);
  // The button that was pressed is gone.
  useLayoutEffect(() => list.current?.querySelector("button")?.focus(), [matches]);
  const search = async (): Promise<void> => {
    if (isSearching) return;
    setSearching(true);
    setFailure(undefined);
    try {
      const body = { q: withoutSuffix(symbol), limit: MAX_MATCHES };
      const found = await requestJson<FindSymbolOutput>(actionPath("find-symbol"), { method: "POST", body });
      if (found.unavailable === undefined) setMatches(found.matches);
      else setFailure(`The listings cannot be read: ${REFUSALS[found.unavailable]}.`);
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setSearching(false);
    }
  };
  const pick = async ({ symbol: listed, exchange, name }: SymbolMatch): Promise<void> => {
    const named = isByIsin(stock) ? { symbol: listed, ...(stock.name === symbol ? { name } : {}) } : {};
    const set = { instrument: { symbol: listed, exchange }, ...(exchange === null ? {} : { exchange }), ...named };
    if ((await change({ set })) === undefined) return;
    announce(`${symbol} now uses the prices of ${[listed, exchange].filter(Boolean).join(", ")}.`);
    void followPrices(store, { q: isByIsin(stock) ? listed : symbol });
  };
  return (
    <section class="market-choice" aria-label="Market">
      <p class="muted" role="status">
        {listings === undefined ? WHY_NO_PRICE[wanted](symbol) : sayFound(listings, stock)}
      </p>
      {listings === undefined ? (
        <div>
          <Button isSmall aria-disabled={isSearching} onClick={() => void search()}>
            {isSearching ? "Looking…" : CHOOSE[wanted]}
          </Button>
        </div>
      ) : (
        <ul ref={list} aria-label={`Listings of ${symbol}`}>
          {listings.fitting.map((match) => (
            <li key={`${match.symbol} ${marketOf(match)}`}>
              <Button aria-disabled={isBusy} onClick={() => void pick(match)}>
                <span>
                  <b>{isByIsin(stock) ? `${match.symbol} · ${marketOf(match)}` : marketOf(match)}</b>{" "}
                  <bdi>{match.name}</bdi> {!match.inPlan && <Badge tone="warn">not in the plan</Badge>}
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Problem text={problem ?? failure} />
    </section>
  );
};

const WHY_NO_PRICE = {
  market: (symbol: string) => `${symbol} has no market, so its price is not updated.`,
  symbol: () => "This stock is listed by its ISIN. Without its symbol, its price is not updated.",
} as const;

const CHOOSE = { market: "Choose the market", symbol: "Find its symbol" } as const;

/** Says what there is to choose from. A listing in another currency would change what all amounts of the stock mean. */
const sayFound = ({ fitting, others }: Listings, stock: Stock): string => {
  const { symbol, currency } = stock;
  const elsewhere = others.map(marketOf).join(", ");
  const also = elsewhere === "" ? "" : ` In another currency: ${elsewhere}. Edit the stock to change its currency.`;
  if (fitting.length > 0) return `Which ${isByIsin(stock) ? "listing" : symbol} is it?${also}`;
  return `The price source has no ${withoutSuffix(symbol)} in ${currency}.${also}`;
};
