/** Splits in Degiro's files, whose lines belong to no order: nobody has bought or sold anything. */
import type { Trade } from "./trade-line.ts";

/** How much the amounts of the old shares and of the new may differ: prices are rounded. */
const SAME_AMOUNT_WITHIN = 0.02;

const amountOf = ({ outcome: { draft } }: Trade): number => Number(draft.quantity) * Number(draft.avgCost);

/** Whether two lines are a split: at one moment old shares go and new ones come, worth the same amount. */
const isSplit = (gone: Trade, come: Trade): boolean =>
  gone.kind === "sell" &&
  come.kind !== "sell" &&
  gone.date === come.date &&
  Math.abs(amountOf(gone) / amountOf(come) - 1) <= SAME_AMOUNT_WITHIN;

/** The lines of one stock, with each split as a single line. Undefined if a line without an order is not part of a split. */
export const joinSplits = (lines: readonly Trade[]): readonly Trade[] | undefined => {
  const gone = lines.filter((line) => !line.isOrder && line.kind === "sell");
  const come = lines.filter((line) => !line.isOrder && line.kind !== "sell");
  const pairs = new Map(come.map((line) => [line, gone.find((one) => isSplit(one, line))]));
  if (
    gone.length !== come.length ||
    new Set(pairs.values()).size !== gone.length ||
    [...pairs.values()].includes(undefined)
  )
    return undefined;
  return lines.flatMap((line): Trade[] => {
    if (gone.includes(line)) return [];
    const splitFrom = pairs.get(line)?.outcome.draft.quantity;
    return [splitFrom == null ? line : { ...line, splitFrom }];
  });
};
