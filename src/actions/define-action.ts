/** The seam both consumers of an action meet at: one definition serves HTTP, the agent's tool and the hooks' types. */
import type { z } from "zod";
import type { Caller } from "../contract/caller.ts";
import type { RunId } from "../contract/ids.ts";
import type { Db } from "../db/db.ts";

/** Who asked for a write; it is recorded with the stock and its event. */
type ActionVia = "screen" | "agent" | "import";

/** The world an action runs in. The caller comes from here and never from the input. */
export type ActionContext = {
  readonly db: Db;
  readonly caller: Caller;
  readonly via: ActionVia;
  /** The run an agent's call belongs to. */
  readonly runId?: RunId;
  /**
   * Key of an agent's call, `run:<runId>:<toolCallId>`. A write files its answer under it in the same batch as its
   * effect, so a call that is made again after a crash gets the first answer and changes nothing.
   */
  readonly replayKey?: string;
  readonly nowMs: () => number;
  /** A new UUIDv7 (`createIdSource`): ids of stocks sort by creation. */
  readonly newId: () => string;
};

/** An action as the registry holds it. `Input` is what the schema gives out, defaults applied. */
export type Action<Input = unknown, Output = unknown> = {
  /** Kebab-case; also the last part of its path and the agent's tool name. */
  readonly name: string;
  /** `read` answers GET and POST and runs unasked; `write` answers POST and asks when the agent calls it. */
  readonly kind: "read" | "write";
  /** What the model reads to decide when and how to call it. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** What the agent's tool takes where it is less than `input`: a write without the key that only screens send. */
  readonly agentInput?: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** @throws {AppError} a refusal whose message names the field and the remedy. */
  run(ctx: ActionContext, input: Input): Promise<Output>;
  /** One line for a tool card, such as `Add AAPL`. */
  title(input: Input): string;
  /** What a write would change, as it stands now, for the permission request. Absent for reads and fresh additions. */
  before?(ctx: ActionContext, input: Input): Promise<unknown>;
  /** Whether "always allow" may be offered for this input (CONTRACT §4). Default: yes. */
  mayBecomeRule?(input: Input): boolean;
};

/** Gives an action its types; the registry lists it. */
export const defineAction = <Input, Output>(action: Action<Input, Output>): Action<Input, Output> => action;
