/** What kind of asset a cell names, in the words of brokers. */
import type { AssetType } from "../../../contract/stock.ts";

const WORDS: readonly (readonly [AssetType, RegExp])[] = [
  ["etf", /\betf\b|exchange.traded/i],
  ["fund", /fund|fonds|\boeic\b|sicav/i],
  ["index", /\bindex\b/i],
  ["stock", /stock|equit|share|aktie|\badr\b/i],
  ["other", /^other$/i],
];

/** The first that fits; undefined when none does. An index fund is a fund. */
export const readAssetType = (cell: string): AssetType | undefined => WORDS.find(([, words]) => words.test(cell))?.[0];
