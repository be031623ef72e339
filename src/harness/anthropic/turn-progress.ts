/** Everything committed of a turn, as the messages that the loop resumes from. */
import type { Usage } from "../../contract/run.ts";
import { ContentBlock, type Message } from "../../model/messages.ts";
import type { ToolCall, TurnCheckpoint } from "../turn.ts";
import { withSaid } from "./said-meanwhile.ts";
import { toolResultMessage } from "./tool-results.ts";

/** The newest closed model message and what it asked for. */
export type Answer = {
  readonly stopReason: string;
  /** In the model's order; empty when it asked for no calls. */
  readonly calls: readonly ToolCall[];
};

/** Where the loop continues. */
export type TurnProgress = {
  /** The prompt, then model messages, tool results and what was said meanwhile, all complete. Without the results of `answer.calls`. */
  readonly messages: readonly Message[];
  /** Model calls that have finished. */
  readonly steps: number;
  /** Undefined before the first model message, and when something was said after the newest one: then the model is asked next. */
  readonly answer: Answer | undefined;
  /** Tokens of the newest model message; undefined before the first. */
  readonly lastUsage: Usage | undefined;
};

/** @throws {ZodError} for a message that this release cannot read. */
export const progressOf = ({ prompt, steps, said = [] }: TurnCheckpoint): TurnProgress => {
  const saidBehind = (step: number) => said.filter((one) => one.step === step).map(({ text }) => text);
  const last = steps.at(-1);
  const isAnswered = saidBehind(steps.length).length > 0;
  const opening: Message = { role: "user", content: [{ type: "text", text: prompt }] };
  const messages = steps.flatMap((step, index): readonly Message[] => {
    const message: Message = { role: "assistant", content: ContentBlock.array().parse(step.content) };
    const isOpen = step === last && !isAnswered;
    const results = isOpen || step.calls.length === 0 ? [] : [toolResultMessage(step.calls)];
    return withSaid([message, ...results], saidBehind(index + 1));
  });
  return {
    messages: [...withSaid([opening], saidBehind(0)), ...messages],
    steps: steps.length,
    answer: isAnswered ? undefined : last && { stopReason: last.stopReason, calls: last.calls },
    lastUsage: last?.usage,
  };
};
