/** What all rows and events of one attempt at a write have in common. */
import type { OwnerEmail, RunId } from "../contract/ids.ts";
import type { UpdatedVia } from "../contract/stock.ts";
import type { ActionContext } from "./define-action.ts";
import type { Stamp } from "./merge-values.ts";

export type WriteMoment = Stamp & {
  readonly ownerEmail: OwnerEmail;
  readonly via: UpdatedVia;
  readonly runId: RunId | null;
  readonly nowMs: number;
  /** On every row of the attempt, so that its events can tell whether the row was written by it. */
  readonly mutationId: string;
  readonly newId: () => string;
};

/** Begins an attempt. One that lost a race is made up anew, with a moment of its own. */
export const startAttempt = ({ caller, via, runId, nowMs, newId }: ActionContext): WriteMoment => {
  const now = nowMs();
  return {
    ownerEmail: caller.ownerEmail,
    via,
    runId: runId ?? null,
    nowMs: now,
    at: new Date(now).toISOString(),
    priceSource: via === "import" ? "import" : "manual",
    mutationId: newId(),
    newId,
  };
};
