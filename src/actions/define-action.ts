/** One definition of an action serves HTTP and the agent's tool. */
import type { z } from "zod";
import { AppError } from "../contract/app-error.ts";
import { describeProblems } from "../contract/describe-problems.ts";
import type { Caller, RunId } from "../contract/ids.ts";
import type { Db } from "../db/db.ts";
import type { Prices } from "../quotes/prices.ts";

/** Where a write comes from; recorded with the stock and its event. */
type ActionVia = "screen" | "agent" | "import";

/** What an action runs with. The caller comes from here and never from the input. */
export type ActionContext = {
  readonly db: Db;
  readonly caller: Caller;
  readonly via: ActionVia;
  /** The run that an agent's call belongs to; absent for calls over HTTP. */
  readonly runId?: RunId;
  /**
   * Key of an agent's call, `run:<runId>:<toolCallId>`. A write stores its answer under it in the same batch as its effect, so
   * a call that is repeated after a crash gets the first answer and changes nothing.
   */
  readonly replayKey?: string;
  /** `Before.basis` of an agent's call, as the person was shown it: a write refuses if it has changed since. */
  readonly basis?: string;
  readonly prices: Prices;
  /** The 429 of a caller over the rate limit: a write then changes nothing, but returns what is stored under its key. */
  readonly overLimit?: AppError;
  readonly nowMs: () => number;
  /** A new UUIDv7 (`createIdSource`): ids of stocks sort by creation. */
  readonly newId: () => string;
};

/** What a write would change, in its current state. */
export type Before = {
  /** For the permission request. */
  readonly shown: unknown;
  /**
   * What the write's meaning depends on, read at the same moment: if it has changed since, the write is refused. Absent if it cannot
   * change.
   */
  readonly basis?: string;
};

/** An action as the registry holds it. `Input` is the schema's output, with defaults applied. */
export type Action<Input = unknown, Output = unknown> = {
  /** Kebab-case; also the last part of its path and the agent's tool name. */
  readonly name: string;
  /**
   * A `read` runs unasked, and answers GET as well as POST unless it `isPostOnly`. A `write` answers POST only, and asks when the agent
   * calls it.
   */
  readonly kind: "read" | "write";
  /** A read that costs something elsewhere, so it does not answer GET. */
  readonly isPostOnly?: true;
  /** What the model reads to decide when and how to call it. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** What the agent's tool takes, if that is less than `input`: for writes, all but the key that only screens send. */
  readonly agentInput?: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** @throws {AppError} a refusal whose message names the field and how to correct it. */
  run(ctx: ActionContext, input: Input): Promise<Output>;
  /** One line for a tool card, such as `Add AAPL`. */
  title(input: Input): string;
  /** What a write would change; undefined when that is nothing. Absent for reads. */
  before?(ctx: ActionContext, input: Input): Promise<Before | undefined>;
  /** Whether stored data can make it refuse an input (404, 409, 422). Checked even over the rate limit, since 429 comes last. */
  readonly refusesByData?: true;
  /** Whether "always allow" may be offered for this input (api.md §4). Default: yes. */
  mayBecomeRule?(input: Input): boolean;
};

/** Types an action; the registry lists it. */
export const defineAction = <Input, Output>(action: Action<Input, Output>): Action<Input, Output> => action;

/**
 * Parses the input that HTTP or the agent sent. @throws {AppError} 400 that names the first five problems with how to correct
 * them, joined by `; ` (api.md §5).
 */
export const parseInput = <Input>(schema: z.ZodType<Input>, raw: unknown): Input => {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    throw new AppError(400, "body: send a JSON object.");
  const parsed = schema.safeParse(raw);
  // Zod does not count this one key as unknown, and drops it.
  if (parsed.success && namesPrototype(raw)) throw new AppError(400, "__proto__: unknown field, leave it out");
  if (parsed.success) return parsed.data;
  throw new AppError(400, describeProblems(parsed.error.issues, "body"));
};

/** Levels of objects and lists that a valid input can have, with some to spare. */
const MAX_LEVELS = 8;

/** Whether `__proto__` is a key anywhere in a valid input. */
const namesPrototype = (value: unknown, levels = MAX_LEVELS): boolean =>
  typeof value === "object" &&
  value !== null &&
  levels > 0 &&
  (Object.hasOwn(value, "__proto__") || Object.values(value).some((one) => namesPrototype(one, levels - 1)));
