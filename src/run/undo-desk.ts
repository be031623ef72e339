/** Undoing a run, in its own object: what the run has recorded, and who may undo it when. The undo itself is in `undo/run-undo`. */
import * as z from "zod";
import { StockId } from "../contract/ids.ts";
import { tryParseJson } from "../contract/parse-json.ts";
import { openWriteDb } from "../db/db.ts";
import { noteUndone } from "../db/undo/undone-runs.ts";
import type { Env } from "../env.ts";
import { scopeOf } from "../quotes/find-access.ts";
import type { RunUndo, UndoWorld } from "../undo/run-undo.ts";
import { UndoPlan } from "../undo/undo-plan.ts";
import { keptFilesOf } from "../workspace/durable/durable-workspace.ts";
import { workspaceDirOf } from "./drive/served-workspace.ts";
import { loadDriving } from "./load-driving.ts";
import type { UndoAsk, UndoneRun, UndoResult } from "./run-rpc.ts";
import { isEnded } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import type { RunRecord } from "./store/run-store.ts";

/** Statuses of calls that may have had an effect. */
const RAN: ReadonlySet<string> = new Set(["completed", "failed", "unknown"]);

const SCHEDULES: ReadonlySet<string> = new Set(["create-schedule", "delete-schedule"]);

/** The undo of the run that an object holds. */
export class UndoDesk {
  readonly #ledger: Ledger;
  readonly #write: ReturnType<typeof openWriteDb>;
  readonly #env: Env;
  readonly #plan: UndoPlan;
  #undo: RunUndo | undefined;

  constructor(env: Env, ledger: Ledger) {
    this.#env = env;
    this.#ledger = ledger;
    this.#write = openWriteDb(env.DB);
    this.#plan = new UndoPlan(ledger.tables);
  }

  /** Answers for the run's owner. `record` is undefined for anybody else. */
  async answer(record: RunRecord | undefined, { isOverLimit, ...request }: UndoAsk): Promise<UndoResult> {
    if (record === undefined) return { type: "unknown_run" };
    if (!isEnded(record.state)) return { type: "live" };
    if (record.isPurged) return { type: "expired" };
    if (isOverLimit) return { type: "ready" };
    const late = await loadDriving();
    this.#undo ??= new late.RunUndo(this.#world(record));
    const answer = await this.#undo.answer(request);
    if (answer === undefined) return { type: "day_full" };
    return { type: "answered", answer, bookmark: request.dryRun ? undefined : this.#write.bookmark() };
  }

  /** What was undone of the run, as a later turn is told; undefined if nothing was, or the log has expired. */
  undone(record: RunRecord | undefined): UndoneRun | undefined {
    const items = record === undefined || record.isPurged ? [] : this.#plan.list();
    return record === undefined || items.length === 0 ? undefined : { prompt: record.spec.prompt, items };
  }

  #world({ spec: { ownerEmail, runId, createdAtMs, workspaceDir } }: RunRecord): UndoWorld {
    return {
      stocks: {
        ...{ db: this.#write.db, ownerEmail, runId, sinceMs: createdAtMs, nowMs: Date.now },
        priceScope: () => scopeOf(this.#env, ownerEmail),
        recorded: () => recordedStocks(this.#calls()),
      },
      files: {
        images: this.#ledger.images,
        kept: keptFilesOf(this.#env.WORKSPACES, { ownerEmail, runId }),
        openWorkspace: async () =>
          workspaceDirOf(this.#env, ownerEmail) === workspaceDir
            ? await (await loadDriving()).openWorkspace(this.#env, ownerEmail)
            : undefined,
      },
      plan: this.#plan,
      note: () => noteUndone(this.#write.db, runId, Date.now()),
      countOthers: () => {
        const ran = this.#calls().filter(({ hasRun }) => hasRun);
        const schedules = ran.filter(({ tool, isDone }) => isDone && SCHEDULES.has(tool)).length;
        return { commands: ran.filter(({ kind }) => kind === "execute").length, schedules };
      },
      nowMs: Date.now,
    };
  }

  /** The run's calls that have ended, without reads, which change nothing. */
  #calls(): (RecordedCall & { readonly kind: string; readonly hasRun: boolean; readonly isDone: boolean })[] {
    const { checkpoints, requests } = this.#ledger;
    const calls = checkpoints.turn("", []).steps.flatMap((step) => step.calls);
    return calls.flatMap(({ toolCallId, tool, kind, state }) => {
      if (state.type !== "ended" || kind === "read") return [];
      const { status, output } = state.result;
      const asked = requests.findForCall(toolCallId);
      const isAllowed = asked?.reply?.decision === "allow_once" || asked?.reply?.decision === "allow_always";
      const before = asked?.subject.type === "action" ? asked.subject.before : undefined;
      return [{ tool, kind, output, before, hasRun: isAllowed && RAN.has(status), isDone: status === "completed" }];
    });
  }
}

/** A call of an action that has ended: its answer, and what the person was shown of it. */
type RecordedCall = { readonly tool: string; readonly output: string; readonly before: unknown };

/** Actions that change stocks. */
const WRITES: ReadonlySet<string> = new Set(["add-stock", "update-stock", "delete-stock"]);

const Named = z.object({ id: StockId, symbol: z.string() });

/** The answers of the three actions, as far as they name stocks. An answer that was cut names none. */
const Answer = z.object({
  stock: Named.optional(),
  results: z.array(z.object({ stock: Named.optional() })).optional(),
  deleted: z.array(StockId).optional(),
});

const Shown = z.union([z.array(Named), Named.transform((one) => [one])]);

/**
 * Symbols of the stocks that a run's calls name, by id: all that is left of a stock that was purged since. Empty if the run never saw
 * the symbol.
 */
const recordedStocks = (calls: readonly RecordedCall[]): ReadonlyMap<StockId, string> => {
  const symbols = new Map<StockId, string>();
  for (const { output, before } of calls.filter(({ tool }) => WRITES.has(tool))) {
    const { stock, results = [], deleted = [] } = Answer.safeParse(tryParseJson(output)).data ?? {};
    const shown = Shown.safeParse(before).data ?? [];
    const named = [...(stock ? [stock] : []), ...results.flatMap((result) => result.stock ?? [])];
    for (const { id, symbol } of named) symbols.set(id, symbol);
    for (const id of deleted) symbols.set(id, shown.find((one) => one.id === id)?.symbol ?? symbols.get(id) ?? "");
  }
  return symbols;
};
