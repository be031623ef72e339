/** The model and the effort that a turn's body chooses, held to what is allowed (CONTRACT §7). */
import { AppError } from "../contract/app-error.ts";
import type { Effort } from "../contract/models.ts";
import type { Env } from "../env.ts";
import { allowedModels } from "../model/allowed-models.ts";

/** Longest list of names in a refusal: `AGENT_MODELS` can hold any number. */
const MAX_NAMED = 20;

/** The model's id, the default where none is chosen. @throws {AppError} 400 naming those that are allowed. */
export const chosenModel = (env: Env, model: unknown): string => {
  const allowed = allowedModels(env);
  const id = model ?? allowed[0];
  if (typeof id === "string" && allowed.includes(id)) return id;
  throw new AppError(400, `model: use one of ${allowed.slice(0, MAX_NAMED).join(", ")}.`);
};

/**
 * The effort as it is compared with the model's levels, undefined where none is chosen. What is no text is like no level:
 * which there are is known only with the turn's own batch.
 */
export const chosenEffort = (effort: unknown): string | undefined => {
  if (effort === undefined || effort === null) return undefined;
  return typeof effort === "string" ? effort : "";
};

/** Answered to an effort that the model does not take. */
export const effortRefusal = (model: string, efforts: readonly Effort[]): AppError =>
  new AppError(
    400,
    efforts.length === 0
      ? `effort: ${model} has no such choice. Leave it out.`
      : `effort: use one of ${efforts.join(", ")}.`,
  );
