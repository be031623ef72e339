/** Transfers that cancel out: a stock moved between two places of the same owner, as when a broker changes its bank. */
import { isNegative, tradeKind, withoutSign } from "./read-trade.ts";

type Line<Row> = { readonly row: Row; readonly words: string; readonly symbol: string; readonly quantity: string };

const TRANSFER = /transfer|übertrag/i;

/** The transfers of stocks that went out and came in with the same quantities. All other transfers may have moved shares. */
export const findCancelling = <Row>(lines: readonly Line<Row>[]): ReadonlySet<Row> => {
  const isTransfer = ({ words, symbol, quantity }: Line<Row>): boolean =>
    symbol.trim() !== "" && /[1-9]/.test(quantity) && TRANSFER.test(words) && tradeKind(words) === "unknown";
  const bySymbol = Map.groupBy(lines.filter(isTransfer), ({ symbol }) => symbol.trim().toUpperCase());
  const amounts = (group: readonly Line<Row>[], isOut: boolean): string =>
    group
      .filter(({ quantity }) => isNegative(quantity) === isOut)
      .map(({ quantity }) => withoutSign(quantity).trim())
      .sort()
      .join(";");
  const cancelling = [...bySymbol.values()].filter((group) => amounts(group, true) === amounts(group, false));
  return new Set(cancelling.flatMap((group) => group.map(({ row }) => row)));
};
