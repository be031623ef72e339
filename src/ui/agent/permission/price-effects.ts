/** What the server changes in a stock's prices beyond what a change sets. The person must know this before they allow the change. */
import { isRecord } from "../../../contract/parse-json.ts";
import { currencyCode } from "../../../contract/stocks/currency-codes.ts";
import { symbolText } from "../../../contract/stocks/symbol-shape.ts";
import { wordsOf } from "./value-words.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The key that is unique to a stock within a list, however its symbol and market are written. */
export const keyOf = ({ symbol, exchange }: Fields): string =>
  `${symbolText(String(symbol))} ${symbolText(wordsOf(exchange) ?? "")}`;

/**
 * The fields that change along with those of `set`, with their next values or words for them; never one that `set` has. `currency` is
 * the stock's next currency. The rules are those of `actions/write-row` and `actions/update-stock`.
 */
export const priceEffects = (set: Fields, before: Fields, currency: unknown): Fields => {
  const after = { ...before, ...set };
  const isOther = keyOf(after) !== keyOf(before) || currencyCode(String(currency)) !== before.currency;
  const isLinked = isRecord(before.instrument);
  // A price without a time gets the time of the change, so even the same price counts.
  const isPriced =
    (set.lastPrice !== undefined && (set.lastPriceAt === undefined || set.lastPrice !== before.lastPrice)) ||
    (set.lastPriceAt !== undefined && set.lastPriceAt !== before.lastPriceAt);
  const isTyped = isLinked && !isOther && isPriced && after.lastPrice !== null;
  const autoPrice = set.instrument === undefined ? before.autoPrice && !isTyped : set.instrument !== null;
  const isOn = set.autoPrice ?? autoPrice;
  const isLinkedAgain = set.instrument !== undefined || (set.autoPrice === true && !before.autoPrice);
  const hasTarget = [after.targetLow, after.targetHigh].some((target) => wordsOf(target) !== undefined);
  return Object.fromEntries(
    Object.entries({
      ...{ autoPrice, notify: before.notify && hasTarget },
      ...(isOther && isLinked && { instrument: isOn ? "looked up again" : null }),
      ...((isOther || isLinkedAgain) &&
        isRecord(before.pendingSplit) && {
          // For the same symbol, the day from which its shares are counted stays known.
          pendingSplit:
            isOn && symbolText(String(after.symbol)) === symbolText(String(before.symbol))
              ? "asked about again if its listing has it"
              : "no longer asked about",
        }),
    }).filter(([field, value]) => !(field in set) && value !== before[field]),
  );
};
