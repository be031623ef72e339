/** `delete-stock`: moves stocks to the trash. Deleting one that is already there changes nothing and is no error. */
import { StockId } from "../contract/ids.ts";
import { DeleteStockAgentInput, DeleteStockInput, DeleteStockOutput } from "../contract/stocks/delete-stock.ts";
import { deleteTitle } from "../contract/stocks/write-title.ts";
import { findStocks } from "../db/find-stocks.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { requireBasis, stockNotFound, toStock } from "./own-stock.ts";
import { type WritePlan, writeOnce } from "./write-once.ts";
import { nextVersion, type WriteMoment } from "./write-row.ts";

export const deleteStock = defineAction<DeleteStockInput, DeleteStockOutput>({
  name: "delete-stock",
  kind: "write",
  refusesByData: true,
  description:
    "Moves a stock, or several by ids, to the trash, where it stays for 30 days; update-stock with restore: true restores " +
    "it. Take the ids from list-stocks, get-stock or view-screen.",
  input: DeleteStockInput,
  agentInput: DeleteStockAgentInput,
  output: DeleteStockOutput,
  run: async (ctx, { idempotencyKey, ...input }) =>
    writeOnce(ctx, { action: "delete-stock", input, idempotencyKey, output: DeleteStockOutput }, (moment) =>
      plan(ctx, moment, input),
    ),
  title: ({ ids }) => deleteTitle(ids),
  before: async (ctx, input) => {
    const rows = await findNamed(ctx, input);
    return { shown: rows.map((row) => toStock(row, ctx.nowMs())), basis: basisOf(rows) };
  },
  mayBecomeRule: ({ ids }) => ids === undefined,
});

const plan = async (
  ctx: ActionContext,
  moment: WriteMoment,
  input: DeleteStockInput,
): Promise<WritePlan<DeleteStockOutput>> => {
  const named = await findNamed(ctx, input);
  if (input.id !== undefined && named.length === 0) throw stockNotFound();
  requireBasis(ctx, [basisOf(named)], named.length === 1 ? named[0]?.symbol : undefined);
  const live = named.filter(({ deletedAt }) => deletedAt === null);
  return {
    changes: live.map((before) => ({
      action: "delete",
      before,
      after: nextVersion(moment, before, { deletedAt: moment.at }),
    })),
    answer: { deleted: named.map(({ id }) => id) },
  };
};

/** The whole stock goes, so the consent is to one version of it. */
const basisOf = (rows: readonly StockRow[]): string => rows.map(({ id, version }) => `${id}:${version}`).join();

/** The stocks an input names, in its order and each once. Unknown ids and text that is not an id are left out. */
const findNamed = async ({ db, caller }: ActionContext, { id, ids = [] }: DeleteStockInput): Promise<StockRow[]> => {
  const texts = id === undefined ? ids : [id];
  const wanted = [...new Set(texts.flatMap((text) => StockId.safeParse(text).data ?? []))];
  const rows = await findStocks(db, caller.ownerEmail, wanted);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return wanted.flatMap((stockId) => byId.get(stockId) ?? []);
};
