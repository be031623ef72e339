/** Where a stock's price comes from, the way back from a price set by hand, and a split that waits for an answer (api.md §8). */
import { useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useQuotes } from "../../account/settings/use-quotes.ts";
import { whyNoUpdates } from "../../format/price-trouble.ts";
import { NOTHING_TO_SCALE, splitTitle, splitWords } from "../../format/stock-split-words.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { useRefreshPrices } from "../store/use-refresh-prices.ts";
import { Problem, useChange } from "./use-change.tsx";

type StockProps = { readonly stock: Stock };

/** The linked listing. Without one, only the way back from a price set by hand. */
export const PriceSource = ({ stock }: StockProps) => {
  const { isBusy, problem, change } = useChange(stock);
  const { isBusy: isRefreshing, refresh } = useRefreshPrices();
  const [outcome, setOutcome] = useState<string>();
  const { instrument, autoPrice } = stock;
  const quotes = useQuotes(instrument !== null && autoPrice);
  const takeAgain = async (): Promise<void> => {
    if (await change({ set: { autoPrice: true } })) announce(`${stock.symbol} uses the source's prices again.`);
  };
  if (instrument === null) {
    return (
      <div class="price-source">
        {!autoPrice && (
          <Button isSmall aria-disabled={isBusy} onClick={() => void takeAgain()}>
            Use the source's prices
          </Button>
        )}
        <Problem text={problem} />
      </div>
    );
  }
  const listing = [instrument.symbol, instrument.exchange].filter(Boolean).join(", ");
  const useSource = async (): Promise<void> => {
    if (await change({ set: { autoPrice: true } })) announce("The source's price is used again.");
  };
  const unlink = async (): Promise<void> => {
    if (await change({ set: { instrument: null } })) announce(`${stock.symbol} no longer uses prices from ${listing}.`);
  };
  const askAgain = async (): Promise<void> => {
    setOutcome(undefined);
    const words = await refresh(stock.id);
    if (words !== undefined) setOutcome(words);
  };
  return (
    <div class="price-source">
      <p class="muted">
        {autoPrice
          ? sourceWords(stock, listing, quotes && whyNoUpdates(quotes))
          : `You set this price by hand, so prices from ${listing} do not change it.`}
      </p>
      {!autoPrice && (
        <Button isSmall aria-disabled={isBusy} onClick={() => void useSource()}>
          Use the source's price
        </Button>
      )}
      {autoPrice && (
        <Button isSmall aria-disabled={isRefreshing} onClick={() => void askAgain()}>
          {isRefreshing ? "Asking…" : "Refresh"}
        </Button>
      )}
      <Button isSmall aria-disabled={isBusy} onClick={() => void unlink()}>
        Unlink
      </Button>
      {/* In the dialog itself: screen readers read nothing behind it. */}
      <p role="status">{outcome}</p>
      <Problem text={problem} />
    </div>
  );
};

/** Says where prices come from. Why they no longer do is said once: beside a stale price it stands there. */
const sourceWords = ({ lastPriceSource, instrument, priceState }: Stock, listing: string, why?: string): string => {
  if (why !== undefined) return `Linked to ${listing}.${priceState === "stale" ? "" : ` ${why}`}`;
  return lastPriceSource === instrument?.source
    ? `Prices come from ${listing}.`
    : `Linked to ${listing}. It has sent no price yet.`;
};

/** A split that was answered here: its day, what was answered, and the version that the answer made. */
type Answered = { readonly day: string; readonly words: string; readonly version: number };

/** An answer to a split of this day, and the version that it is based on. */
type Sent = { readonly day: string; readonly given: "apply" | "dismiss"; readonly version: number };

/**
 * Asks whether a split applies to what the person holds. Until it is answered, the price stays as it was. After an answer given here,
 * "Undo" is offered.
 */
export const SplitCard = ({ stock }: StockProps) => {
  const { isBusy, problem, isLost, change } = useChange(stock);
  const [sent, setSent] = useState<Sent>();
  const [last, setLast] = useState<Answered>();
  const { pendingSplit, symbol, version } = stock;
  const answer = async (sending: Sent): Promise<void> => {
    const { day, given } = sending;
    setSent(sending);
    const changed = await change({ version: sending.version, split: { day, answer: given } });
    if (changed === undefined) return;
    setSent(undefined);
    const words = `The split of ${symbol} is ${given === "apply" ? "applied" : "dismissed"}.`;
    setLast({ day, words, version: changed.version });
    announce(words);
  };
  const undo = async ({ day, version: answeredAt }: Answered): Promise<void> => {
    if ((await change({ version: answeredAt, split: { day, answer: "undo" } })) === undefined) return;
    setLast(undefined);
    announce(`The split of ${symbol} is open again.`);
  };
  if (pendingSplit !== null) {
    const { day } = pendingSplit;
    return (
      <section class="split-card" aria-label="Split">
        <p>
          <b>{splitTitle(stock)}</b>: {splitWords(stock) || NOTHING_TO_SCALE}
        </p>
        <div class="price-source">
          <Button
            tone="primary"
            isSmall
            aria-disabled={isBusy}
            onClick={() => void answer({ day, given: "apply", version })}
          >
            Apply
          </Button>
          <Button isSmall aria-disabled={isBusy} onClick={() => void answer({ day, given: "dismiss", version })}>
            Does not apply
          </Button>
        </div>
        <Problem text={problem} />
      </section>
    );
  }
  // The split seems to be answered, but only the server knows whether this answer did it.
  if (sent !== undefined && isLost) {
    return (
      <section class="split-card" aria-label="Split">
        <Problem text={problem} />
        <Button isSmall aria-disabled={isBusy} onClick={() => void answer(sent)}>
          Try again
        </Button>
      </section>
    );
  }
  if (last === undefined) return <Problem text={problem} />;
  return (
    <section class="split-card" aria-label="Split">
      <p>{last.words}</p>
      <div class="price-source">
        <Button isSmall aria-disabled={isBusy} onClick={() => void undo(last)}>
          Undo
        </Button>
      </div>
      <Problem text={problem} />
    </section>
  );
};
