/**
 * One owner with as many stocks as there can be: 5,000 live ones, the limit, and as many in the trash, 10,000 rows in all.
 * The limit is said clearly, and lists, searches and changes work beside each other.
 */
import { z } from "zod";
import { AddResult } from "../../../src/contract/stocks/add-stock.ts";
import { ListStocksOutput } from "../../../src/contract/stocks/list-stocks.ts";
import { MAX_LIVE_STOCKS, Stock } from "../../../src/contract/stocks/stock.ts";
import { sampleStocks } from "../../support/browser/stock-samples.ts";
import { inTurns } from "../in-turns.ts";
import type { Owner } from "../owner.ts";
import type { Scenario, Stage } from "../scenario.ts";

/** Stocks of one call, and calls at once. */
const BATCH = 100;
const AT_ONCE = 4;
const PAGE = 200;

const SORTS = ["symbol", "marketValue", "distanceToTarget"] as const;
const READS = 200;
const READS_AT_ONCE = 20;

const LIMIT_TEXT = "You have 5,000 stocks, the limit. Delete some first.";

const Added = z.object({ results: z.array(AddResult) });

/** Adds the samples from `from` on; returns their ids. */
const addStocks = async (owner: Owner, from: number, count: number): Promise<string[]> => {
  const drafts = sampleStocks(from + count).slice(from);
  const batches = await inTurns(Math.ceil(count / BATCH), AT_ONCE, async (index) => {
    const items = drafts.slice(index * BATCH, (index + 1) * BATCH);
    const { results } = await owner.act(Added, "add-stock", { items, idempotencyKey: crypto.randomUUID() });
    for (const { outcome, error } of results)
      owner.incidents.require(outcome === "created", `a stock was ${outcome}: ${error}`);
    return results.flatMap(({ stock }) => stock?.id ?? []);
  });
  return batches.flat();
};

const deleteStocks = (owner: Owner, ids: readonly string[]) =>
  inTurns(Math.ceil(ids.length / BATCH), AT_ONCE, async (index) => {
    const some = ids.slice(index * BATCH, (index + 1) * BATCH);
    const { deleted } = await owner.act(z.object({ deleted: z.array(z.string()) }), "delete-stock", { ids: some });
    owner.incidents.require(deleted.length === some.length, `${deleted.length} of ${some.length} were deleted`);
  });

/** All ids of a list, page by page; each must come once. */
const walkList = async (owner: Owner, input: Readonly<Record<string, unknown>>, wanted: number): Promise<void> => {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { ...input, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { items, total, nextCursor } = await owner.act(ListStocksOutput, "list-stocks", page);
    owner.incidents.require(total === wanted, `a list of ${wanted} says ${total}`);
    ids.push(...items.map(({ id }) => id));
    cursor = nextCursor;
  }
  const isWhole = ids.length === wanted && new Set(ids).size === wanted;
  owner.incidents.require(
    isWhole,
    `${JSON.stringify(input)} gave ${ids.length} rows, ${new Set(ids).size} of them once`,
  );
};

/** Reads and changes beside each other; a change must come back as it was made. */
const readAndChange = (owner: Owner, ids: readonly string[]) =>
  inTurns(READS, READS_AT_ONCE, async (index) => {
    if (index % 4 !== 0) return await owner.act(ListStocksOutput, "list-stocks", { q: "robotics", limit: PAGE });
    const set = { notes: `changed ${index}` };
    const { stock } = await owner.act(z.object({ stock: Stock }), "update-stock", { id: ids[index % ids.length], set });
    owner.incidents.require(stock.notes === set.notes, "a change came back as another one");
    return stock;
  });

const requireLimit = async (owner: Owner): Promise<void> => {
  const { status, body } = await owner.ask("POST", "/_framework/actions/add-stock", { symbol: "ONE.MORE" });
  const isClear = status === 409 && JSON.stringify(body) === JSON.stringify({ error: LIMIT_TEXT });
  owner.incidents.require(isClear, `a full list was answered ${status} ${JSON.stringify(body)}`);
};

export const fullList: Scenario = {
  name: "stocks",
  run: async ({ world, incidents, scaled, begin }: Stage) => {
    const [owner] = await world.owners(1, incidents);
    if (owner === undefined) throw new Error("Nobody has signed in.");
    const count = scaled(MAX_LIVE_STOCKS);
    await begin();
    const first = await addStocks(owner, 0, count);
    if (count === MAX_LIVE_STOCKS) await requireLimit(owner);
    await deleteStocks(owner, first);
    const ids = await addStocks(owner, count, count);
    if (count === MAX_LIVE_STOCKS) await requireLimit(owner);
    for (const sort of SORTS) await walkList(owner, { sort }, count);
    await walkList(owner, { deleted: true }, count);
    await readAndChange(owner, ids);
    return `${count} live, ${count} in the trash, ${SORTS.length + 1} walks, ${READS} reads and changes`;
  },
};
