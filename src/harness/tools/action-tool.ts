/** An action as a tool of the agent: same input, same rules, same answer as on the screen. */
import { z } from "zod";
import type { Action } from "../../actions/define-action.ts";
import { AppError } from "../../contract/app-error.ts";
import { describeProblems } from "../../contract/describe-problems.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** How the tool reaches the action's world; the run makes it, with the owner as caller and the call's key. */
export type ActionCalls = {
  run(action: Action, input: unknown, callKey: string): Promise<unknown>;
  before(action: Action, input: unknown): Promise<unknown>;
  /** The stored answer of a call that was made, or undefined when it never took effect. Changes nothing. */
  find(callKey: string): Promise<string | undefined>;
};

/** Tries of an action whose storage failed: the call's key makes each try the same one. */
const MAX_TRIES = 3;

/** Makes the tool of an action. Reads run, writes ask. */
export const actionTool = (action: Action, calls: ActionCalls): Tool => {
  const input = action.agentInput ?? action.input;
  return {
    name: action.name,
    kind: action.kind === "read" ? "read" : "edit",
    description: action.description,
    inputSchema: jsonSchemaOf(action),
    prepare: (raw) => {
      const parsed = input.safeParse(raw);
      if (!parsed.success) return { problem: describeProblems(parsed.error.issues, "body") };
      const run = (callKey: string) =>
        runAction(
          () => calls.run(action, parsed.data, callKey),
          () => calls.find(callKey),
        );
      return {
        title: action.title(parsed.data),
        mayBecomeRule: action.mayBecomeRule?.(parsed.data) ?? true,
        subject: async () => {
          const before = await calls.before(action, parsed.data);
          return { type: "action", name: action.name, input: raw, ...(before === undefined ? {} : { before }) };
        },
        run: (ctx) => run(ctx.callKey),
        // The key's row is written in the same batch as the effect: running it again gives the first answer.
        recover: async (ctx) => {
          if (!ctx.signal.aborted) return "rerun";
          const output = await calls.find(ctx.callKey);
          return output === undefined ? "no_effect" : { output, isError: false };
        },
      };
    },
  };
};

const jsonSchemas = new WeakMap<Action, Readonly<Record<string, unknown>>>();

/** The action's input as JSON Schema; made once, since it takes longer than all the rest of a turn's start. */
const jsonSchemaOf = (action: Action): Readonly<Record<string, unknown>> => {
  const known = jsonSchemas.get(action);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(action.agentInput ?? action.input, { io: "input", unrepresentable: "any" });
  jsonSchemas.set(action, schema);
  return schema;
};

/** Pause before the second try; twice that before the third. */
const PAUSE_MS = 200;

/** Runs it up to three times. When the last answer was lost too, the stored one tells whether it took effect. */
const runAction = async (run: () => Promise<unknown>, find: () => Promise<string | undefined>): Promise<ToolResult> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { output: JSON.stringify(await run()), isError: false };
    } catch (error) {
      if (error instanceof AppError) return { output: error.message, isError: true };
      if (attempt < MAX_TRIES) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
        continue;
      }
      const output = await find();
      if (output === undefined) throw error;
      return { output, isError: false };
    }
  }
};
