/** Where a stock's price comes from, the way back from a price by hand, and a split that waits for an answer (api.md §8). */
import { useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatPrice } from "../../format/format-money.ts";
import { formatQuantity, LOCALE } from "../../format/format-number.ts";
import { shortDate } from "../../format/price-age.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { errorText, isConflict } from "../store/stock-failures.ts";
import { useStockActions } from "../store/use-stock-actions.ts";

type StockProps = { readonly stock: Stock };

/** One change at a time. `problem` says why the last one failed; after a conflict the stock has been read again. */
const useChange = (stock: Stock) => {
  const client = useQueryClient();
  const actions = useStockActions();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const readAgain = () =>
    Promise.all(["list-stocks", "get-stock"].map((name) => client.invalidateQueries({ queryKey: [name] })));
  const change = async (edit: Omit<Parameters<typeof actions.update>[0], "id">): Promise<Stock | undefined> => {
    if (isBusy) return undefined;
    setBusy(true);
    setProblem(undefined);
    try {
      const changed = await actions.update({ id: stock.id, ...edit });
      // The source's price is copied when the list is read.
      await readAgain();
      return changed;
    } catch (error) {
      setProblem(errorText(error));
      if (isConflict(error)) await readAgain();
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { actions, isBusy, problem, change };
};

const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );

/** The linked listing. Nothing for a stock without one. */
export const PriceSource = ({ stock }: StockProps) => {
  const { isBusy, problem, change } = useChange(stock);
  const { instrument, autoPrice, lastPrice } = stock;
  if (instrument === null) return <Problem text={problem} />;
  const listing = [instrument.symbol, instrument.exchange].filter(Boolean).join(", ");
  const credit = Object.entries(ATTRIBUTIONS).find(([source]) => source === instrument.source)?.[1].text;
  const useSource = async (): Promise<void> => {
    if (await change({ set: { autoPrice: true } })) announce("The source's price is used again.");
  };
  const unlink = async (): Promise<void> => {
    if (await change({ set: { instrument: null } })) announce(`${stock.symbol} takes no more prices of ${listing}.`);
  };
  return (
    <div class="price-source">
      <p class="muted">
        {autoPrice
          ? `Prices are those of ${listing}.`
          : `You set this price by hand, so those of ${listing} leave it alone.`}{" "}
        {credit}
      </p>
      {!autoPrice && lastPrice !== null && (
        <Button isSmall aria-disabled={isBusy} onClick={() => void useSource()}>
          Use the source's price
        </Button>
      )}
      <Button isSmall aria-disabled={isBusy} onClick={() => void unlink()}>
        Unlink
      </Button>
      <Problem text={problem} />
    </div>
  );
};

/** Decimals of an amount after a split (api.md §5). */
const MAX_DECIMALS = 10;

/** For the words alone: the server scales exactly. */
const scale = (amount: string, up: number, down: number): string =>
  String(Number(((Number(amount) * up) / down).toFixed(MAX_DECIMALS)));

/** `25 × $118.20 becomes 250 × $11.82, targets $120.00 becomes $12.00.` */
export const splitWords = ({ pendingSplit, quantity, avgCost, targetLow, targetHigh, currency }: Stock): string => {
  if (pendingSplit === null) return "";
  const { numerator, denominator } = pendingSplit;
  const price = (amount: string) => formatPrice(amount, currency, LOCALE);
  const cheaper = (amount: string) => price(scale(amount, denominator, numerator));
  const more = (amount: string) => formatQuantity(scale(amount, numerator, denominator), LOCALE);
  const holding =
    quantity === null || quantity === "0"
      ? []
      : avgCost === null
        ? [`${formatQuantity(quantity, LOCALE)} becomes ${more(quantity)}`]
        : [`${formatQuantity(quantity, LOCALE)} × ${price(avgCost)} becomes ${more(quantity)} × ${cheaper(avgCost)}`];
  const targets = [targetLow, targetHigh].filter((target) => target !== null);
  const scaled = targets.map((target) => `${price(target)} becomes ${cheaper(target)}`).join(", ");
  const all = [...holding, ...(scaled === "" ? [] : [`targets ${scaled}`])].join(", ");
  return all === "" ? "" : `${all}.`;
};

/** Asks whether a split is the person's. Until it is answered the price stays what it was. */
export const SplitCard = ({ stock }: StockProps) => {
  const { actions, isBusy, problem, change } = useChange(stock);
  const { pendingSplit, symbol, version, quantity, avgCost, targetLow, targetHigh } = stock;
  if (pendingSplit === null) return <Problem text={problem} />;
  const { day, numerator, denominator } = pendingSplit;
  const answer = async (given: "apply" | "dismiss"): Promise<void> => {
    const changed = await change({ version, split: { day, answer: given } });
    if (changed === undefined || given === "dismiss") return;
    const before = { quantity, avgCost, targetLow, targetHigh };
    showToast({
      text: `The split of ${symbol} is applied`,
      action: { label: "Undo", run: () => void actions.update({ id: stock.id, set: before }).catch(sayFailed) },
    });
  };
  return (
    <section class="split-card" aria-label="Split">
      <p>
        <b>
          {symbol} split {numerator}:{denominator} on {shortDate(day)}
        </b>
        {splitWords(stock) && `: ${splitWords(stock)}`}
      </p>
      <div class="price-source">
        <Button tone="primary" isSmall aria-disabled={isBusy} onClick={() => void answer("apply")}>
          Apply
        </Button>
        <Button isSmall aria-disabled={isBusy} onClick={() => void answer("dismiss")}>
          Not mine
        </Button>
      </div>
      <Problem text={problem} />
    </section>
  );
};

const sayFailed = (error: unknown): void => {
  showToast({ text: `The split was not undone. ${errorText(error)}`, tone: "bad" });
};
