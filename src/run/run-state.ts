/** The states of a run and what is known in each (run.md). Terminal states are written once, together with `run_end`. */

import * as z from "zod";
import { RequestId } from "../contract/ids.ts";
import { CostUsd, RunError, TerminalStatus, Usage } from "../contract/run.ts";
import type { RunEnding } from "../db/runs.ts";

const grant = z.int();
const model = z.string();
const startedAtMs = z.int();

/** The state of a run. `grant` is the number under which its session lets it run. */
export const RunState = z.discriminatedUnion("status", [
  /** Waits in the thread's queue. */
  z.object({ status: z.literal("queued") }),
  /** A loop is running it, or has died and will be recovered. */
  z.object({ status: z.literal("running"), grant, model, startedAtMs }),
  /** No loop: it waits for a person. `isTold`: a notice of the request was written. */
  z.object({
    status: z.literal("waiting_permission"),
    ...{ grant, model, startedAtMs, requestId: RequestId },
    isTold: z.literal(true).exactOptional(),
  }),
  /** It is being stopped and can only become `aborted`. */
  z.object({ status: z.literal("aborting"), grant, model, startedAtMs, sinceMs: z.int() }),
  /** Over. `started` is missing if the run never left the queue. `isTold`: a notice of the end was handed over, and nobody has read it. */
  z.object({
    status: TerminalStatus,
    stopReason: z.string(),
    error: RunError.nullable(),
    endedAtMs: z.int(),
    /** Stored here because the log and its messages are deleted before the run is. */
    usage: Usage,
    /** Null for runs of earlier versions, whose cost is unknown. */
    costUsd: CostUsd.nullable().default(null),
    lastSeq: z.int(),
    started: z.object({ grant, model, startedAtMs }).optional(),
    isTold: z.literal(true).optional(),
  }),
]);
export type RunState = z.infer<typeof RunState>;

/** A run that has left the queue and is not over. */
export type LiveState = Extract<RunState, { grant: number }>;
export type EndedState = Extract<RunState, { endedAtMs: number }>;

/** Whether the run has left the queue and is not over. */
export const isLive = (state: RunState): state is LiveState => "grant" in state;

/** Whether the run is over. */
export const isEnded = (state: RunState): state is EndedState => "endedAtMs" in state;

/** Whether a loop drives the run, or should. */
export const isDriven = ({ status }: RunState): boolean => status === "running" || status === "aborting";

/** How the run ended, or undefined while it has not. */
export const endingOf = (state: RunState): RunEnding | undefined =>
  isEnded(state) ? { status: state.status, endedAtMs: state.endedAtMs, costUsd: state.costUsd } : undefined;

/** What a run has had since it left the queue, for the state it changes to. */
export const startedPart = ({ grant, model, startedAtMs }: LiveState) => ({ grant, model, startedAtMs });

/** The model that answers or has answered, or undefined while the run is queued. */
export const modelOf = (state: RunState): string | undefined =>
  isLive(state) ? state.model : isEnded(state) ? state.started?.model : undefined;

/** When it left the queue, or undefined. */
export const startedAtMsOf = (state: RunState): number | undefined =>
  isLive(state) ? state.startedAtMs : isEnded(state) ? state.started?.startedAtMs : undefined;

/** Attempts that may follow each other without a new checkpoint between them (run.md, Recovery). */
export const MAX_ATTEMPTS_WITHOUT_CHECKPOINT = 3;

/** How often the run was started, and how many attempts in a row made no progress. */
export const Attempts = z.object({
  /** Counts from 1; each crash adds one. It fences off a superseded loop. */
  attempt: z.int(),
  /** Attempts in a row that added no checkpoint, the current one included. */
  streak: z.int(),
  /** Number of checkpoints when the streak began. */
  checkpoints: z.int(),
});
export type Attempts = z.infer<typeof Attempts>;
