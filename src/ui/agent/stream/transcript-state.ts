/**
 * What a person sees of one run: its items in order and its status. Plain read-only data that `applyEvents` builds from the
 * run's events; an unchanged part keeps its identity, so a view may compare by `===`.
 */
import type { Todo } from "../../../contract/guidance/todo.ts";
import type { RunError, RunStatus, Usage } from "../../../contract/run.ts";
import type { QuestionState } from "./question-state.ts";
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
  /** The agent's newest list. */
  readonly todos: readonly Todo[];
  /** Undefined until the run has started, like the next four. */
  readonly model: string | undefined;
  /** Runs of earlier releases name none. */
  readonly harness: string | undefined;
  readonly workspaceDir: string | undefined;
  /** Whether the conversation already held a message. */
  readonly isResumed: boolean | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** The tokens of the run so far; the server's own sum once it has ended. */
  readonly usage: Usage;
  /** In US dollars, an exact decimal string; undefined until the end, and where a price is not known. */
  readonly costUsd: string | undefined;
  /** Model calls so far. */
  readonly steps: number;
  /** Undefined until the end. */
  readonly stopReason: string | undefined;
  /** Measured by the server, including the waits for the person. Undefined until the end. */
  readonly durationMs: number | undefined;
  /** For how long it has waited for the person, in ms, in waits that are over. */
  readonly waitedMs: number;
  /** When the current wait for the person began, in epoch ms; undefined if there is none. */
  readonly waitingSinceMs: number | undefined;
  /** Why it failed. */
  readonly error: RunError | undefined;
  /** The seq of the newest event in this state: the cursor to continue from. 0 before the first. */
  readonly lastSeq: number;
};

/** The state before any event. `prompt` is shown at once. */
export const newTranscript = (runId: string, prompt?: string): TranscriptState => ({
  runId,
  status: "queued",
  queuePosition: undefined,
  items: prompt === undefined ? [] : [{ type: "user", key: "user", text: prompt, isTruncated: false }],
  todos: [],
  model: undefined,
  harness: undefined,
  workspaceDir: undefined,
  isResumed: undefined,
  startedAt: undefined,
  endedAt: undefined,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: undefined,
  steps: 0,
  stopReason: undefined,
  durationMs: undefined,
  waitedMs: 0,
  waitingSinceMs: undefined,
  error: undefined,
  lastSeq: 0,
});

/** Whether the run has ended. */
export const hasEnded = ({ endedAt }: TranscriptState): boolean => endedAt !== undefined;

/** Whether the turn began in plan mode. */
export const isPlanned = ({ items }: Pick<TranscriptState, "items">): boolean =>
  items.some((item) => item.type === "context" && item.source === "plan");

/** The request that waits for the person; there is at most one. */
export const openRequestOf = ({ items }: TranscriptState): ToolItem | BudgetItem | undefined =>
  items.findLast(isAsking);

/** The id of the request that waits for the person. */
export const openRequestIdOf = (transcript: TranscriptState): string | undefined => {
  const item = openRequestOf(transcript);
  const asked = item?.type === "tool" && isOpen(item.question) ? item.question : item?.permission;
  return asked?.requestId;
};

const isAsking = (item: TranscriptItem): item is ToolItem | BudgetItem =>
  (item.type === "tool" && isOpen(item.question)) ||
  ((item.type === "tool" || item.type === "budget") && isOpen(item.permission));

const isOpen = (asked: PermissionState | QuestionState | undefined): boolean =>
  asked !== undefined && asked.reply === undefined;
