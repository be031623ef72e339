/**
 * The protocol between the Worker and the harness host, which runs the vendor's agent SDK on a person's own machine. The host
 * is a part of the workspace server: same address, same token, same guards. Each call is `POST /harness/<name>` with JSON. A
 * turn's answer is a stream of `TurnLine`; every question in it is answered by a `result` call. The host itself decides only what never
 * needs a person: it runs reads inside the workspace, and denies what is switched off.
 */
import * as z from "zod";

/** The path that precedes each call's name. */
export const HARNESS_PATH = "harness/";

/** Most bytes of one piece of a session file: 4 MiB. Both ends hold a piece in memory, and the Worker's rows are smaller still. */
export const MAX_SESSION_PIECE_BYTES = 4 * 1_024 * 1_024;

/** Response header of a session's piece: the whole file's size in bytes. */
export const SESSION_SIZE_HEADER = "x-session-size";

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The SDK's session id. For a new session the Worker makes one. */
const SessionId = z.uuid();

/** A tool of ours, which the Worker runs. `read` may run beside other reads, `edit` beside nothing; a tool that asks counts as `edit`. */
export const HostedTool = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/),
  description: z.string(),
  kind: z.enum(["read", "edit"]),
  /** JSON Schema of an object. */
  inputSchema: z.record(z.string(), z.unknown()),
});
export type HostedTool = z.infer<typeof HostedTool>;

/** How a turn begins. */
const TurnBegin = z.discriminatedUnion("type", [
  /** In a session that does not exist yet. */
  z.object({ type: z.literal("new"), prompt: z.string().min(1) }),
  /**
   * With a message to a session: a next turn, the answer of an action that waited for a person, or a turn that goes on after a crash. A
   * call whose end the session does not know is not run again; the SDK tells the model so.
   */
  z.object({ type: z.literal("message"), prompt: z.string().min(1) }),
  /**
   * The same, but after an earlier message of the session, named by the SDK's id of that message. What followed that message stays in the
   * file and is left out from then on. This is a type of its own, so that a host that cannot do it refuses instead of going on after what
   * was replaced.
   */
  z.object({ type: z.literal("behind"), prompt: z.string().min(1), message: z.uuid() }),
  /**
   * With the answer to the call that ended the previous turn by `ask`: its permission is asked for again under the same `toolUseId`, and no
   * message is added. Only after a turn whose result has `stop_reason: "tool_deferred"`; otherwise nothing ever happens.
   */
  z.object({ type: z.literal("deferred") }),
]);

/** The parameters of each call. */
export const HarnessCall = {
  /** What is served here. */
  hello: z.object({}),
  /** Answered by a stream. A session has one turn at a time: a new turn first ends the one before it. */
  turn: z.object({
    /** Names this turn for `result` and `stop`; never used twice. */
    turnId: z.string().min(1).max(200),
    sessionId: SessionId,
    begin: TurnBegin,
    /** The SDK's own default if absent. */
    model: z.string().exactOptional(),
    effort: z.enum(["low", "medium", "high", "xhigh", "max"]).exactOptional(),
    /**
     * What the turn may spend, in US dollars, by the SDK's own prices. The SDK counts a model call's cost once the call is over, so the
     * last call may exceed this, and the tool calls in its answer may not run. The result then has the subtype `error_max_budget_usd`. An
     * earlier host ignores it.
     */
    budgetUsd: z.number().positive().exactOptional(),
    /** Most model calls. The result then has the subtype `error_max_turns`. An earlier host ignores it. */
    maxTurns: z.int().positive().exactOptional(),
    /** Added to the SDK's system prompt. It must stay the same for a session, or its prompt cache is lost. */
    instructions: z.string().exactOptional(),
    tools: z.array(HostedTool).max(50),
  }),
  /** Answers a question of a turn, once. `not_found` when the question is no longer open. */
  result: z.object({
    turnId: z.string(),
    questionId: z.string(),
    answer: z.discriminatedUnion("type", [
      /** For a `permission` question. */
      z.object({
        type: z.literal("allow"),
        /** For an edit: the state that was shown. If the file's state is another one when it is written, nothing is written. */
        ifState: z.string().exactOptional(),
      }),
      z.object({
        type: z.literal("deny"),
        message: z.string(),
        /**
         * The call belongs to an earlier turn: the session ended with it deferred, and asks about it before it reads this turn's message.
         * The model is then called once, with both. An earlier host calls the model twice.
         */
        isOver: z.boolean().exactOptional(),
      }),
      /** A person has to be asked: the turn ends with this call deferred, and the next one goes on with it by `begin: deferred`. */
      z.object({ type: z.literal("ask") }),
      /** For a `tool` question. `ends`: the turn ends after this result, because a person has been asked. */
      z.object({
        type: z.literal("tool"),
        output: z.string(),
        isError: z.boolean(),
        ends: z.boolean().exactOptional(),
      }),
    ]),
  }),
  /** Ends a turn and all its processes. Answered when none is running any more; unknown ids are fine. */
  stop: z.object({ turnId: z.string() }),
  /** A piece of a session's file, which only grows. The answer's body is the piece's bytes; empty for a session that has no file. */
  "read-session": z.object({ sessionId: SessionId, offset: Count }),
  /**
   * Puts a piece back. These parameters are in the query; the body is the piece's bytes. Offset 0 replaces the file; any other must be its
   * end.
   */
  "restore-session": z.object({ sessionId: SessionId, offset: z.coerce.number().pipe(Count) }),
  /** Deletes all that is kept of these sessions. Unknown ones are fine. */
  "delete-sessions": z.object({ sessionIds: z.array(SessionId).max(1_000) }),
} as const;

/** Parameters of a turn. */
export type TurnCall = z.infer<typeof HarnessCall.turn>;

/** An answer to a question. */
export type QuestionAnswer = z.infer<typeof HarnessCall.result>["answer"];

/** The answers with status 200. `result`, `stop`, `restore-session` and `delete-sessions` answer `{}`. */
export const HarnessAnswer = {
  hello: z.object({ harness: z.literal("agent-sdk"), sdkVersion: z.string() }),
} as const;

/** What a call would do, for a person to see. Paths are relative to the workspace, without links. */
export const HostSubject = z.discriminatedUnion("type", [
  z.object({ type: z.literal("command"), command: z.string(), dir: z.string() }),
  z.object({
    type: z.literal("edit"),
    path: z.string(),
    diff: z.string(),
    /** False: the change is too long to be shown whole, so it must not be allowed always. */
    isWhole: z.boolean(),
    /** The file's state now and after the edit, as in `file-state.ts`: what a crash left can be compared with both. */
    stateBefore: z.string(),
    stateAfter: z.string(),
  }),
]);
export type HostSubject = z.infer<typeof HostSubject>;

const Question = { questionId: z.string(), toolUseId: z.string() };

/**
 * One line of a turn's answer. `started` is first and `ended` last. Earlier clients ignore lines of a type they do not know.
 */
export const TurnLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), sdkVersion: z.string(), sessionId: SessionId }),
  /**
   * A message of the SDK as it came, but without `tool_use_result`, which repeats whole files, and without the bytes of images and
   * documents.
   */
  z.object({ type: z.literal("message"), message: z.looseObject({ type: z.string() }) }),
  /** An edit or a command wants to run. `tool` and `input` are the SDK's own. */
  z.object({
    type: z.literal("permission"),
    ...Question,
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
    subject: HostSubject,
  }),
  /** A hosted tool was called. */
  z.object({
    type: z.literal("tool"),
    ...Question,
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  /** Every 10 s, so that no proxy takes the connection for dead. */
  z.object({ type: z.literal("alive") }),
  /**
   * `result`: the SDK has sent its result. `stopped`: by `stop`, by a newer turn, or because the caller left. `lost`: the agent's process
   * ended by itself, and `message` has what it said last.
   */
  z.object({ type: z.literal("ended"), end: z.enum(["result", "stopped", "lost"]), message: z.string() }),
]);
export type TurnLine = z.infer<typeof TurnLine>;
