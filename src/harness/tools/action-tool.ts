/** An action as a tool of the agent: the same input, rules and answer as on the screen. */
import type { Action, Before } from "../../actions/define-action.ts";
import { AppError } from "../../contract/app-error.ts";
import { isRecord, parseJson } from "../../contract/parse-json.ts";
import { within } from "../../contract/within.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** How the tool runs its action, on behalf of the run's owner. Made by the run. */
export type ActionCalls = {
  /** `basis`: what the person was shown. */
  run(action: Action, input: unknown, callKey: string, basis: string | undefined): Promise<unknown>;
  before(action: Action, input: unknown): Promise<Before | undefined>;
  /** The stored answer of a call that took effect, or undefined when it never did. Changes nothing. */
  find(callKey: string): Promise<string | undefined>;
  /** Like `find`. In addition, a call that has not taken effect never will after this, even if it is still on its way. */
  claim(callKey: string): Promise<string | undefined>;
};

/**
 * Pauses between the tries of an action whose storage fails, in ms: enough for six seconds of outage. All tries use the
 * call's key, so they count as one.
 */
const PAUSES_MS = [200, 400, 800, 1_600, 3_200];

/** Longest time for one try, in ms: the longest list takes well under a second. */
const TRY_LIMIT_MS = 15_000;

/** Makes an action's tool. Reads run unasked, writes ask. */
export const actionTool = (action: Action, calls: ActionCalls): Tool =>
  inputTool({
    name: action.name,
    kind: action.kind === "read" ? "read" : "edit",
    description: action.description,
    input: action.agentInput ?? action.input,
    prepare: (input, raw) => ({
      title: action.title(input),
      mayBecomeRule: action.mayBecomeRule?.(input) ?? true,
      propose: async () => {
        const before = await untilAnswered(() => calls.before(action, input));
        const subject = { type: "action", name: action.name, input: raw } as const;
        if (before === undefined) return { subject };
        const { shown, basis } = before;
        return { subject: { ...subject, before: shown }, ...(basis === undefined ? {} : { basis }) };
      },
      run: ({ callKey, signal, shown }) =>
        runAction(
          () => calls.run(action, input, callKey, shown?.basis),
          () => calls.find(callKey),
          signal,
        ),
      // The key's row is written in the same batch as the effect, so running it again returns the first answer.
      recover: async (ctx) => {
        if (!ctx.signal.aborted) return "rerun";
        // A request that an earlier attempt sent may still arrive, after we said that nothing happened.
        const output = await within(TRY_LIMIT_MS, () => calls.claim(ctx.callKey));
        return output === undefined ? "no_effect" : storedResult(output);
      },
    }),
  });

/** Runs the action. If no try brings an answer, the stored one tells whether it took effect. */
const runAction = async (
  run: () => Promise<unknown>,
  find: () => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<ToolResult> => {
  try {
    return { output: answerText(await untilAnswered(run, signal)), isError: false };
  } catch (error) {
    if (error instanceof AppError) return { output: error.message, isError: true };
    const output = await within(TRY_LIMIT_MS, find);
    if (output === undefined) throw error;
    return storedResult(output);
  }
};

/**
 * The answer as JSON, its shortest parts first. What is cut off at the end is then a part of the longest list, and never a cursor or a sum.
 */
const answerText = (answer: unknown): string => {
  if (!isRecord(answer)) return JSON.stringify(answer);
  const lengthOf = ([, part]: [string, unknown]): number => (JSON.stringify(part) ?? "").length;
  return JSON.stringify(Object.fromEntries(Object.entries(answer).toSorted((a, b) => lengthOf(a) - lengthOf(b))));
};

const storedResult = (stored: string): ToolResult => ({ output: answerText(parseJson(stored)), isError: false });

/** Asks until there is an answer or a refusal, or no pauses are left. A run that is being stopped has no time for retries. */
const untilAnswered = async <Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await within(TRY_LIMIT_MS, ask);
    } catch (error) {
      const pauseMs = PAUSES_MS[attempt];
      if (error instanceof AppError || pauseMs === undefined || signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
};
