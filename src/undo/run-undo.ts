/**
 * Undoes what one run changed. What a person agreed to is stored first; then each item is undone, whole or not at all, and only if
 * it still is what the run made it. What a crash left undone waits until a person agrees to it again (decision 0139).
 */
import { KeyedMutex } from "../contract/keyed-mutex.ts";
import type { UndoAnswer, UndoFile, UndoRequest, UndoStock } from "../contract/undo/undo.ts";
import { within } from "../contract/within.ts";
import { isDayFull } from "../db/day-changes.ts";
import { type FileWorld, previewFiles, undoFile } from "./files/undo-files.ts";
import type { PlannedStock } from "./stocks/plan-stocks.ts";
import { previewStocks, type StockWorld, undoStocks } from "./stocks/undo-stocks.ts";
import { itemOf, type UndoPlan } from "./undo-plan.ts";

/** Stocks undone in one transaction. */
const BATCH_SIZE = 20;

/** How long one request works, in ms: its caller waits for 30 s. The rest is undone when the undo is asked for again. */
const WORK_MS = 20_000;

/**
 * How long later requests wait for one request, in ms: as long as its caller does. If D1 or a workspace never answered, they would be kept
 * out for good. Two requests at once do no harm: each item is undone only if it still is what the run made it.
 */
const LIMIT_MS = 30_000;

/** What an undo works with. */
export type UndoWorld = {
  readonly stocks: StockWorld;
  readonly files: FileWorld;
  readonly plan: UndoPlan;
  /** Counts what the run did that cannot be undone. */
  readonly countOthers: () => Pick<UndoAnswer, "commands" | "schedules">;
  /** Notes that something of the run is undone, for the next turn of its chat. */
  readonly note: () => Promise<void>;
  readonly nowMs: () => number;
};

/** The undo of one run, in one instance of its object. */
export class RunUndo {
  readonly #world: UndoWorld;
  readonly #order = new KeyedMutex();

  constructor(world: UndoWorld) {
    this.#world = world;
  }

  /**
   * Says what can be undone, or undoes it and says what has become of each item. Two requests at once are worked off in order. Undefined,
   * and nothing is done, when the owner's changes of the day have stored as much as they may.
   *
   * @throws {TimedOut} when an undo has taken half a minute. Whatever it still does after that stays done.
   */
  answer({ dryRun, only }: UndoRequest): Promise<UndoAnswer | undefined> {
    return dryRun
      ? this.#preview()
      : this.#order.run(["undo"], () => within(LIMIT_MS, (signal) => this.#undo(only, signal)));
  }

  async #undo(only: UndoRequest["only"], signal: AbortSignal): Promise<UndoAnswer | undefined> {
    const { plan, files, stocks, note, nowMs } = this.#world;
    const untilMs = nowMs() + WORK_MS;
    const shown = await this.#preview();
    const agreedStocks = shown.stocks.filter((stock) => isOpen(stock) && (only?.stocks.includes(stock.id) ?? true));
    const agreedFiles = shown.files.filter((file) => isOpen(file) && (only?.files.includes(file.path) ?? true));
    // Asked only before something new is agreed to: an undo that has begun is never stopped half-way.
    const begun = plan.items();
    if (
      agreedStocks.some(({ id }) => !begun.has(itemOf("stock", id))) &&
      (await isDayFull(stocks.db, stocks.ownerEmail, nowMs()))
    )
      return undefined;
    // Whoever asked has been told that it failed: a later undo must not carry out what this one would have planned.
    signal.throwIfAborted();
    plan.add([
      ...agreedStocks.map(({ id, symbol, effect }) => ({
        ...{ item: itemOf("stock", id), kind: "stock" as const, label: symbol, effect },
      })),
      ...agreedFiles.map(({ path, effect }) => ({
        ...{ item: itemOf("file", path), kind: "file" as const, label: path, effect },
      })),
    ]);
    if (plan.items().size === 0) return shown;
    // Noted before anything happens and again afterwards: a turn may begin in between, or this request be cut off.
    await note();
    for (const batch of inBatches(agreedStocks.map(({ id }) => id)))
      if (nowMs() < untilMs) await undoStocks(stocks, batch);
    for (const { path } of agreedFiles) {
      if (nowMs() < untilMs && (await undoFile(files, path))) plan.markDone(itemOf("file", path));
    }
    const undone = await this.#preview();
    for (const { id } of undone.stocks.filter(isDone)) plan.markDone(itemOf("stock", id));
    for (const { path } of undone.files.filter(isDone)) plan.markDone(itemOf("file", path));
    await note();
    return undone;
  }

  async #preview(): Promise<UndoAnswer> {
    const { stocks, files, plan, countOthers } = this.#world;
    const items = plan.items();
    const [planned, changed] = await Promise.all([
      previewStocks(stocks),
      previewFiles(files, (path) => items.get(itemOf("file", path)) === true),
    ]);
    return { stocks: planned.map(withoutChange), files: changed, ...countOthers() };
  }
}

const isOpen = ({ state }: UndoStock | UndoFile): boolean => state === "restore";

const isDone = ({ state }: UndoStock | UndoFile): boolean => state === "done";

const withoutChange = ({ change: _, ...stock }: PlannedStock): UndoStock => stock;

const inBatches = <Item>(items: readonly Item[]): Item[][] => {
  const starts = items.map((_, place) => place).filter((place) => place % BATCH_SIZE === 0);
  return starts.map((start) => items.slice(start, start + BATCH_SIZE));
};
