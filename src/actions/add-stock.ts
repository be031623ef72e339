/** `add-stock`: one stock, which may be refused, or several, with an outcome each. */
import { AppError, errorCode } from "../contract/app-error.ts";
import { describeProblems } from "../contract/describe-problems.ts";
import { type AddResult, AddStockAgentInput, AddStockInput, AddStockOutput } from "../contract/stocks/add-stock.ts";
import { StockDraft } from "../contract/stocks/stock-values.ts";
import { stocksWords } from "../contract/stocks/write-title.ts";
import { findKnownStocks, type KnownStocks } from "../db/find-stocks.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { requireBasis, toStock } from "./own-stock.ts";
import { findListed, type PlannedAddition, planAdditions, type ReadDraft } from "./plan-additions.ts";
import { type WritePlan, writeOnce } from "./write-once.ts";
import { startTry, type WriteMoment } from "./write-row.ts";

type Several = Extract<AddStockInput, { readonly items: readonly unknown[] }>;

export const addStock = defineAction<AddStockInput, AddStockOutput>({
  name: "add-stock",
  kind: "write",
  refusesByData: true,
  description:
    "Adds a stock to the person's list. Only the symbol is needed. Nothing is looked up: use find-symbol first, leave " +
    "out what neither it nor the person gave, and never guess a price, a cost or an exchange. A symbol that is already in the list is refused: change it " +
    "with update-stock. One that is in the trash is restored with the new values. Give items instead to add several at once.",
  input: AddStockInput,
  agentInput: AddStockAgentInput,
  output: AddStockOutput,
  run: async (ctx, { idempotencyKey, ...input }) => {
    if ("items" in input && input.dryRun) return rehearse(ctx, input);
    const request = { action: "add-stock", input, idempotencyKey, output: AddStockOutput };
    const answer = await writeOnce(ctx, request, (moment) =>
      "items" in input ? planSeveral(ctx, moment, input) : planOne(ctx, moment, input.stock),
    );
    ctx.prices.expectWake();
    return answer;
  },
  before: async (ctx, input) => {
    if (!("items" in input) || input.onConflict !== "update") return undefined;
    const drafts = input.items.map(readDraft);
    const listed = findListed(drafts, await knownOf(ctx, drafts));
    const shown = [...new Set(listed)].flatMap((row) => (row === undefined ? [] : [toStock(row, ctx.nowMs())]));
    return { shown, basis: basisOf(listed) };
  },
  title: (input) => ("items" in input ? severalTitle(input) : `Add ${input.stock.symbol}`),
  mayBecomeRule: (input) => !("items" in input),
});

const severalTitle = ({ items, onConflict }: Several): string =>
  `${onConflict === "update" ? "Add or change" : "Add"} ${stocksWords(items)}`;

/** @throws {AppError} 400 or 409 with the message that several items would have as their `error`. */
const planOne = async (
  ctx: ActionContext,
  moment: WriteMoment,
  draft: StockDraft,
): Promise<WritePlan<AddStockOutput>> => {
  const [planned] = await plan(ctx, moment, [{ draft }], "error");
  if (planned === undefined) throw new Error("A draft was not planned.");
  if ("error" in planned) {
    const { outcome, error, code } = planned;
    throw new AppError(outcome === "invalid" ? 400 : 409, error, code && errorCode(code));
  }
  return { changes: changesOf([planned]), answer: { stock: toStock(planned.stock, moment.nowMs) } };
};

const planSeveral = async (
  ctx: ActionContext,
  moment: WriteMoment,
  { items, onConflict }: Several,
): Promise<WritePlan<{ results: AddResult[] }>> => {
  const planned = await plan(ctx, moment, items.map(readDraft), onConflict);
  return {
    changes: changesOf(planned),
    answer: { results: planned.map((one, index) => toResult(one, index, moment.nowMs)) },
  };
};

/** The outcomes as they would be, without the stocks: the id of a new one would refer to nothing. */
const rehearse = async (ctx: ActionContext, input: Several): Promise<AddStockOutput> => {
  if (ctx.overLimit !== undefined) throw ctx.overLimit;
  const { answer } = await planSeveral(ctx, startTry(ctx), input);
  return { results: answer.results.map(({ stock: _, ...result }) => result) };
};

const plan = async (
  ctx: ActionContext,
  moment: WriteMoment,
  drafts: readonly ReadDraft[],
  onConflict: Several["onConflict"],
): Promise<PlannedAddition[]> => {
  const known = await knownOf(ctx, drafts);
  if (onConflict === "update") {
    const [only, ...others] = drafts;
    const symbol = only && "draft" in only && others.length === 0 ? only.draft.symbol : undefined;
    requireBasis(ctx, [basisOf(findListed(drafts, known))], symbol);
  }
  return planAdditions(moment, drafts, known, onConflict);
};

const knownOf = ({ db, caller }: ActionContext, drafts: readonly ReadDraft[]): Promise<KnownStocks> => {
  const listings = drafts.flatMap((read) => ("draft" in read ? [read.draft] : []));
  return findKnownStocks(db, caller.ownerEmail, listings);
};

/**
 * Which items change a stock of the list, and what each of these stocks was: its version and the split that waits on it, because a split
 * makes no version of its own.
 */
const basisOf = (listed: readonly (StockRow | undefined)[]): string =>
  listed.map((row) => (row === undefined ? "new" : `${row.id}:${row.version}:${row.pendingSplit?.day ?? ""}`)).join();

const readDraft = (item: unknown): ReadDraft => {
  const parsed = StockDraft.safeParse(item);
  return parsed.success ? { draft: parsed.data } : { error: describeProblems(parsed.error.issues, "item") };
};

const changesOf = (planned: readonly PlannedAddition[]) =>
  planned.flatMap((addition) => ("change" in addition ? [addition.change] : []));

const toResult = (planned: PlannedAddition, index: number, nowMs: number): AddResult =>
  "error" in planned
    ? { index, outcome: planned.outcome, error: planned.error }
    : { index, outcome: planned.outcome, stock: toStock(planned.stock, nowMs) };
