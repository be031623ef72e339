/** `add-stock`: one stock or a refusal; several, and an outcome each. */
import { type AddResult, AddStockAgentInput, AddStockInput, AddStockOutput } from "../contract/add-stock.ts";
import { AppError } from "../contract/app-error.ts";
import { describeProblems } from "../contract/describe-problems.ts";
import { StockDraft } from "../contract/stock-draft.ts";
import { findKnownStocks } from "../db/find-stocks.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { type PlannedAddition, planAdditions, type ReadDraft } from "./plan-additions.ts";
import { toStock } from "./stock-record.ts";
import { startAttempt, type WriteMoment } from "./write-moment.ts";
import { type WritePlan, writeOnce } from "./write-once.ts";

type Several = Extract<AddStockInput, { readonly items: readonly unknown[] }>;

export const addStock = defineAction<AddStockInput, AddStockOutput>({
  name: "add-stock",
  kind: "write",
  description:
    "Adds a stock to the person's list. Only the symbol is needed; nothing is looked up, so leave out what the person did " +
    "not say and never guess a price, a cost or an exchange. A symbol that is in the list already is refused: change it " +
    "with update-stock. One in the trash comes back with the new values. Give items instead to add several at once.",
  input: AddStockInput,
  agentInput: AddStockAgentInput,
  output: AddStockOutput,
  run: async (ctx, { idempotencyKey, ...input }) => {
    if ("items" in input && input.dryRun) return rehearse(ctx, input);
    const request = { action: "add-stock", input, idempotencyKey, output: AddStockOutput };
    return writeOnce(ctx, request, (moment) =>
      "items" in input ? planSeveral(ctx, moment, input) : planOne(ctx, moment, input.stock),
    );
  },
  title: (input) => ("items" in input ? `Add ${input.items.length} stocks` : `Add ${input.stock.symbol}`),
  mayBecomeRule: (input) => !("items" in input),
});

/** @throws {AppError} 400 or 409 with the text that several would put beside the item. */
const planOne = async (
  ctx: ActionContext,
  moment: WriteMoment,
  draft: StockDraft,
): Promise<WritePlan<AddStockOutput>> => {
  const [planned] = await plan(ctx, moment, [{ draft }], "error");
  if (planned === undefined) throw new Error("One draft was planned as none.");
  if ("error" in planned) throw new AppError(planned.outcome === "invalid" ? 400 : 409, planned.error);
  return { changes: changesOf([planned]), answer: { stock: toStock(planned.stock) } };
};

const planSeveral = async (
  ctx: ActionContext,
  moment: WriteMoment,
  { items, onConflict }: Several,
): Promise<WritePlan<{ results: AddResult[] }>> => {
  const planned = await plan(ctx, moment, items.map(readDraft), onConflict);
  return { changes: changesOf(planned), answer: { results: planned.map(toResult) } };
};

/** The outcomes as they would be. Without the stocks: a new one's id would name nothing. */
const rehearse = async (ctx: ActionContext, input: Several): Promise<AddStockOutput> => {
  const { answer } = await planSeveral(ctx, startAttempt(ctx), input);
  return { results: answer.results.map(({ stock: _, ...result }) => result) };
};

const plan = async (
  { db, caller }: ActionContext,
  moment: WriteMoment,
  drafts: readonly ReadDraft[],
  onConflict: Several["onConflict"],
): Promise<PlannedAddition[]> => {
  const symbols = drafts.flatMap((read) => ("draft" in read ? [read.draft.symbol] : []));
  return planAdditions(moment, drafts, await findKnownStocks(db, caller.ownerEmail, symbols), onConflict);
};

const readDraft = (item: unknown): ReadDraft => {
  const parsed = StockDraft.safeParse(item);
  return parsed.success ? { draft: parsed.data } : { error: describeProblems(parsed.error.issues, "item") };
};

const changesOf = (planned: readonly PlannedAddition[]) =>
  planned.flatMap((addition) => ("change" in addition ? [addition.change] : []));

const toResult = (planned: PlannedAddition, index: number): AddResult =>
  "error" in planned
    ? { index, outcome: planned.outcome, error: planned.error }
    : { index, outcome: planned.outcome, stock: toStock(planned.stock) };
