/**
 * What depends on the model: its name, limits, thinking, effort, sampling, forced tools. Sources:
 * https://platform.claude.com/docs/en/api/errors and https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5
 */
import { z } from "zod";
import { BYTES_PER_TOKEN } from "../prompt-cache.ts";
import type { Call } from "./call.ts";
import type { Refusal } from "./rule.ts";

/** A model that does not exist. */
export const modelsProblem = ({ model, request }: Call): Refusal | undefined =>
  model === undefined ? { status: 404, type: "not_found_error", message: `model: ${request.model}` } : undefined;

/** More tokens than the model can write, or none. */
export const maxTokensProblem = ({ model, request: { max_tokens: asked } }: Call): string | undefined => {
  if (asked < 1) return "max_tokens: Input should be greater than or equal to 1";
  if (model === undefined || asked <= model.maxTokens) return undefined;
  return `max_tokens: ${asked} > ${model.maxTokens}, which is the maximum allowed number of output tokens for ${model.id}`;
};

/** Largest request, in bytes: https://platform.claude.com/docs/en/api/errors */
const MAX_REQUEST_BYTES = 32 * 1_024 * 1_024;

/** More than the model's window holds, or than the API takes at all. */
export const lengthProblem = ({ model, request }: Call): Refusal | string | undefined => {
  const bytes = Buffer.byteLength(JSON.stringify(request));
  if (bytes > MAX_REQUEST_BYTES)
    return { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" };
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  return model === undefined || tokens <= model.maxInputTokens
    ? undefined
    : `prompt is too long: ${tokens} tokens > ${model.maxInputTokens} maximum`;
};

const effortOf = ({ request }: Call): unknown => request.output_config?.effort;

const UNSUPPORTED_THINKING: Readonly<Record<string, string>> = {
  enabled:
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  disabled:
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  between_tools: '"thinking.type.between_tools" is not supported for this model.',
  adaptive: "adaptive thinking is not supported on this model",
};

const BETWEEN_TOOLS_INSTEAD =
  '"thinking.type.disabled" is not supported for this model. Use "thinking.type.between_tools" for the lowest thinking setting, or "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

/** Higher than those that go without thinking. */
const isEffortOver = (call: Call): boolean => effortOf(call) === "xhigh" || effortOf(call) === "max";

/** A thinking configuration the model does not take, or one that needs a beta. */
export const thinkingProblem = (call: Call): string | undefined => {
  const { model, betas, request } = call;
  const thinking = request.thinking ?? undefined;
  if (thinking === undefined || model === undefined) return undefined;
  const { type } = thinking;
  if (!model.thinkingTypes.includes(type))
    return type === "disabled" && model.thinkingTypes.includes("between_tools")
      ? BETWEEN_TOOLS_INSTEAD
      : UNSUPPORTED_THINKING[type];
  if (thinking.block_binding !== undefined && !betas.has("thinking-binding-controls-2026-08-01"))
    return `thinking.${type}.block_binding: Extra inputs are not permitted`;
  if (thinking.display === "updates" && !betas.has("thinking-display-updates-2026-08-18"))
    return `thinking.${type}.display: Input should be 'summarized' or 'omitted'`;
  if (type === "between_tools" && isEffortOver(call))
    return `thinking.type "between_tools" is not supported with effort "${effortOf(call)}".`;
  if (type === "disabled" && isEffortOver(call))
    return `thinking.type "disabled" is not supported with effort "${effortOf(call)}".`;
  const budget = z.number().safeParse(thinking.budget_tokens).data ?? 0;
  if (type === "enabled" && budget >= request.max_tokens)
    return "`max_tokens` must be greater than `thinking.budget_tokens`.";
  return undefined;
};

/** An effort that is not a level, or one for a model without levels. */
export const effortProblem = (call: Call): string | undefined => {
  const effort = effortOf(call);
  if (effort === undefined || effort === null || call.model === undefined) return undefined;
  if (call.model.efforts.length === 0) return "This model does not support the effort parameter.";
  if (call.model.efforts.includes(String(effort))) return undefined;
  return `output_config.effort: Input should be ${call.model.efforts.map((level) => `'${level}'`).join(", ")}`;
};

/** Sampling that is not the default, where the model takes no other. */
export const samplingProblem = ({ model, request }: Call): string | undefined => {
  if (model?.isClaude5 !== true) return undefined;
  const changed = [
    request.temperature === undefined || request.temperature === 1 ? undefined : "temperature",
    request.top_p === undefined ? undefined : "top_p",
    request.top_k === undefined ? undefined : "top_k",
  ].find((name) => name !== undefined);
  return changed === undefined ? undefined : `\`${changed}\` is deprecated for this model.`;
};

/** A forced call of a tool, where the model must be free to choose. */
export const toolChoiceProblem = ({ model, request }: Call): string | undefined =>
  model?.canBeForced === false && ["any", "tool"].includes(request.tool_choice?.type ?? "auto")
    ? 'tool_choice: type "tool" and "any" are not supported for this model.'
    : undefined;
