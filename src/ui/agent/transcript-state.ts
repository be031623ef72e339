/**
 * What a person sees of one run: its items in order and where it stands. Plain read-only data that `applyEvents` makes
 * from the run's events; a part that did not change keeps its identity, so a view may compare by `===`.
 */

import type { RunError, RunStatus, Usage } from "../../contract/run.ts";
import type { BudgetItem, PermissionState, ToolItem, TranscriptItem } from "./transcript-item.ts";

/** One run's transcript so far. Times are ISO 8601 UTC, by the server's clock. */
export type TranscriptState = {
  readonly runId: string;
  /** `queued` until the first event says otherwise. */
  readonly status: RunStatus;
  /** Runs of the thread ahead of this one when it was queued, at least 1; undefined once it has started. */
  readonly queuePosition: number | undefined;
  /** In the order they happened; the user's message is the first. */
  readonly items: readonly TranscriptItem[];
  /** Undefined until the run has started, as are the next three. */
  readonly model: string | undefined;
  readonly workspaceDir: string | undefined;
  /** Whether the conversation already held a message. */
  readonly isResumed: boolean | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** Of the run so far; the server's own sum once it has ended. */
  readonly usage: Usage;
  /** In US dollars, an exact decimal string; undefined until the end, and where a price is not known. */
  readonly costUsd: string | undefined;
  /** Model calls so far. */
  readonly steps: number;
  /** Undefined until the end. */
  readonly stopReason: string | undefined;
  /** Undefined until the end. */
  readonly durationMs: number | undefined;
  /** Why it failed. */
  readonly error: RunError | undefined;
  /** The newest event that is part of this state: the cursor to go on from. 0 before the first. */
  readonly lastSeq: number;
};

/** Nothing known yet. With `prompt`, what was just sent stands there at once. */
export const newTranscript = (runId: string, prompt?: string): TranscriptState => ({
  runId,
  status: "queued",
  queuePosition: undefined,
  items: prompt === undefined ? [] : [{ type: "user", key: "user", text: prompt, isTruncated: false }],
  model: undefined,
  workspaceDir: undefined,
  isResumed: undefined,
  startedAt: undefined,
  endedAt: undefined,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: undefined,
  steps: 0,
  stopReason: undefined,
  durationMs: undefined,
  error: undefined,
  lastSeq: 0,
});

/** Whether the run has ended. */
export const hasEnded = ({ endedAt }: TranscriptState): boolean => endedAt !== undefined;

/** What waits for a person's answer; there is at most one. */
export const openRequestOf = ({ items }: TranscriptState): AskingItem | undefined => items.findLast(isAsking);

type AskingItem = (ToolItem | BudgetItem) & { readonly permission: PermissionState };

const isAsking = (item: TranscriptItem): item is AskingItem =>
  (item.type === "tool" || item.type === "budget") &&
  item.permission !== undefined &&
  item.permission.reply === undefined;
