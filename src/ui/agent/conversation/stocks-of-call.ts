/** Which stocks a call was about, to lead there. */
import type { ToolItem } from "../transcript-item.ts";
import { isRecord } from "./is-record.ts";

/** `label` names the stock, where it is known. */
export type TouchedStock = { readonly id: string; readonly label: string };

const WRITES: ReadonlySet<string> = new Set(["add-stock", "update-stock", "get-stock"]);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Links of one card; a long import is better seen in the list. */
const MAX_LINKS = 5;

/** Stocks that are there after the call: of deleted ones there is nothing to open. */
export const stocksOfCall = ({ tool, status, input, output }: CallFacts): readonly TouchedStock[] => {
  if (status !== "completed" || !WRITES.has(tool)) return [];
  const answer = parse(output);
  const found = answer === undefined ? [] : [answer.stock, ...stocksOfResults(answer.results)].flatMap(touched);
  if (found.length > 0) return found.slice(0, MAX_LINKS);
  return isRecord(input) ? touched({ id: input.id }) : [];
};

type CallFacts = Pick<ToolItem, "tool" | "status" | "input" | "output">;

const parse = (output: string | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const answer: unknown = JSON.parse(output ?? "");
    return isRecord(answer) ? answer : undefined;
  } catch {
    // Cut for the stream, or words.
    return undefined;
  }
};

const stocksOfResults = (results: unknown): readonly unknown[] =>
  Array.isArray(results) ? results.map((result: unknown) => (isRecord(result) ? result.stock : undefined)) : [];

const touched = (stock: unknown): readonly TouchedStock[] => {
  if (!isRecord(stock) || typeof stock.id !== "string" || !UUID.test(stock.id)) return [];
  return [{ id: stock.id, label: typeof stock.symbol === "string" ? `Open ${stock.symbol}` : "Open the stock" }];
};
