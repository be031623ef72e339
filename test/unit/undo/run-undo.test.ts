/** The order of a run's undos, when what one of them works with is silent. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OwnerEmail, RunId } from "../../../src/contract/ids.ts";
import { TimedOut } from "../../../src/contract/within.ts";
import { openDb } from "../../../src/db/db.ts";
import { RunUndo, type UndoWorld } from "../../../src/undo/run-undo.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A database whose first question is never answered; the run has no changes that any later one could find. */
const firstSilent = (): UndoWorld["stocks"]["db"] => {
  let asked = 0;
  const raw = async (): Promise<unknown[][]> => {
    asked += 1;
    return asked === 1 ? await new Promise<never>(() => undefined) : [];
  };
  const statement = { bind: () => ({ raw }) };
  return openDb({ prepare: () => statement } as unknown as D1Database);
};

it("one that D1 never answers lets the next one through after half a minute", async () => {
  const undo = new RunUndo({
    stocks: {
      ...{
        db: firstSilent(),
        ownerEmail: OwnerEmail.parse("ann@example.com"),
        runId: RunId.parse(crypto.randomUUID()),
      },
      ...{ sinceMs: 0, nowMs: Date.now, priceScope: async () => "", recorded: () => new Map() },
    },
    files: {
      images: { files: () => [] },
      openWorkspace: async () => undefined,
    },
    plan: { items: () => new Map(), add: () => undefined },
    ...{ countOthers: () => ({ commands: 0, schedules: 0 }), note: async () => undefined, nowMs: Date.now },
  } as unknown as UndoWorld);
  const first = undo.answer({ dryRun: false }).catch((error: unknown) => error);
  const second = undo.answer({ dryRun: false });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await first).toBeInstanceOf(TimedOut);
  expect(await second).toEqual({ stocks: [], files: [], commands: 0, schedules: 0 });
});
