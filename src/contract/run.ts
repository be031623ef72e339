/** A run as its status route shows it: states, usage, failure codes (api.md §2 and §3). */
import * as z from "zod";
import { HarnessSessionId, RunId, ThreadId } from "./ids.ts";

/** How a run can end; written once, together with `run_end`. */
export const TerminalStatus = z.enum([
  /** The model stopped by itself. */
  "completed",
  /** The model had more to say but reached a limit: its output tokens, its context, our steps, or a budget. */
  "incomplete",
  /** It could not go on; `error` says why. */
  "failed",
  /** Somebody stopped it. */
  "aborted",
]);
export type TerminalStatus = z.infer<typeof TerminalStatus>;

/** Every state of a run: `queued → running ⇄ waiting_permission → (aborting →)` one of the terminal ones. */
export const RunStatus = z.enum(["queued", "running", "waiting_permission", "aborting", ...TerminalStatus.options]);
export type RunStatus = z.infer<typeof RunStatus>;

/** Whether a status is final. */
export const isTerminal = (status: RunStatus): status is TerminalStatus => TerminalStatus.safeParse(status).success;

/** `plan`: the agent may read and ask, and changes nothing before its plan is accepted. */
export const RunMode = z.literal("plan");
export type RunMode = z.infer<typeof RunMode>;

/** Tokens as the model counts them; sums over a run's model calls. */
export const Usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative(),
  cacheWriteTokens: z.int().nonnegative(),
  /** For one call: how many of `cacheWriteTokens` are kept for an hour, which costs more. A run's sum does not have it. */
  cacheWrite1hTokens: z.int().nonnegative().exactOptional(),
  /** For one call: `us` where it was kept within the US, which costs more. A run's sum does not have it. */
  inferenceGeo: z.literal("us").exactOptional(),
});
export type Usage = z.infer<typeof Usage>;

/** No tokens: the start of a sum. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Adds the tokens of both. What a sum does not have, `cacheWrite1hTokens` and `inferenceGeo`, is taken from `a`. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  ...a,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
});

/** An amount in US dollars: an exact decimal string, unrounded, such as `0.0123`. */
export const CostUsd = z.string().regex(/^\d+(\.\d+)?$/);
export type CostUsd = z.infer<typeof CostUsd>;

/** Why a run failed, or why a model call is retried. */
export const FailureCode = z.enum([
  "model_invalid_request",
  "model_auth",
  "model_rate_limited",
  "model_overloaded",
  "model_unavailable",
  "model_timeout",
  "context_too_long",
  "workspace_unavailable",
  "worker_restarted",
  "run_expired",
  "internal",
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** A failure for people to read. `message` never contains a key or an upstream body. */
export const RunError = z.object({ code: FailureCode, message: z.string() });
export type RunError = z.infer<typeof RunError>;

/** Answer of `GET /_framework/runs/<run_id>`. */
export const RunView = z.object({
  runId: RunId,
  threadId: ThreadId,
  sessionId: HarnessSessionId,
  /** What drives its model and tools: `anthropic` or `agent-sdk`. */
  harness: z.string(),
  status: RunStatus,
  /** The newest event's seq, 0 before the first. */
  lastSeq: z.int().nonnegative(),
  /** The open `permission_request` or `plan_proposed` event, as it was sent. */
  pendingPermissions: z.array(z.unknown()),
  /** The open `question_request` event. */
  pendingQuestions: z.array(z.unknown()),
  usage: Usage,
  /** What its model calls have cost so far, null when a price is unknown. */
  costUsd: CostUsd.nullable(),
  error: RunError.nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type RunView = z.infer<typeof RunView>;
