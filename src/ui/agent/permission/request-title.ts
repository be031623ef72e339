/** What a request asks for, in one line. */

import { isRecord } from "../../../contract/parse-json.ts";
import { timingWords } from "../../../contract/schedules/schedule-words.ts";
import { deleteTitle, updateTitle } from "../../../contract/stocks/write-title.ts";
import type { PermissionState } from "../stream/transcript-item.ts";
import type { ChangeGroup } from "./field-changes.ts";

/** What a request asks for, with the stock's symbol where the server knew it: `Set AMZN's buy target`. */
export const requestTitle = ({ title, subject, isTruncated }: RequestFacts): string => {
  // A cut input may name too little.
  if (subject.type !== "action" || isTruncated || !isRecord(subject.input)) return title;
  const { cron, once } = subject.input;
  if (subject.name === "create-schedule" && (typeof cron === "string" || typeof once === "string")) {
    const timing = typeof cron === "string" ? { cron } : { once: String(once) };
    return `Schedule a prompt: ${timingWords(timing)}`;
  }
  const symbol = symbolOf(subject.before);
  return (symbol !== undefined && titleWith(symbol, subject.name, subject.input)) || title;
};

/** The title of a request about a stock with this symbol. Undefined for an action whose title names no stock. */
const titleWith = (symbol: string, name: string, { ids, set, split, restore }: Fields): string | undefined => {
  if (name === "delete-stock" && ids === undefined) return deleteTitle(undefined, symbol);
  return name === "update-stock" ? updateTitle({ set: isRecord(set) ? set : {}, split, restore }, symbol) : undefined;
};

/**
 * The groups, without a symbol that the request's title names already. It is not enough that a word of the title looks like the symbol:
 * `1` is a symbol too, and so is `STOCK`.
 */
export const withoutTitle = (
  groups: readonly ChangeGroup[],
  title: string,
  name: string,
  input: unknown,
): readonly ChangeGroup[] => {
  const [group, ...others] = groups;
  if (group === undefined || others.length > 0) return groups;
  const isNamed = group.title !== undefined && isRecord(input) && title === titleWith(group.title, name, input);
  const changes = group.changes.filter(({ label, after }) => label !== "Symbol" || title !== `Add ${after}`);
  return [{ ...group, title: isNamed ? undefined : group.title, changes }];
};

type Fields = Readonly<Record<string, unknown>>;

type RequestFacts = Pick<PermissionState, "title" | "subject" | "isTruncated">;

const symbolOf = (before: unknown): string | undefined => {
  const stock: unknown = Array.isArray(before) && before.length === 1 ? before[0] : before;
  return isRecord(stock) && typeof stock.symbol === "string" ? stock.symbol : undefined;
};
