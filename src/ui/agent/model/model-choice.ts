/** Pure rules for choosing a chat's model and effort. */
import type { Effort, ModelView } from "../../../contract/models.ts";
import { ApiError } from "../../api/api-error.ts";

/** Sent with a turn. What is left out is the deployment's default. */
export type ModelChoice = { readonly model?: string; readonly effort?: string };

export const DEFAULT_CHOICE: ModelChoice = {};

/** The chosen model; the default when none is named or it is no longer offered. */
export const modelOf = ({ model }: ModelChoice, models: readonly ModelView[]): ModelView | undefined =>
  models.find(({ id }) => id === model) ?? models.find(({ isDefault }) => isDefault) ?? models[0];

/** Drops what these models do not offer, and a model that is the default anyway. */
export const settleChoice = (choice: ModelChoice, models: readonly ModelView[]): ModelChoice => {
  const model = modelOf(choice, models);
  if (model === undefined) return DEFAULT_CHOICE;
  const effort = model.efforts.find((one) => one === choice.effort);
  return { ...(model.isDefault ? {} : { model: model.id }), ...(effort === undefined ? {} : { effort }) };
};

/** Whether there is anything to choose. */
export const isChoice = (models: readonly ModelView[]): boolean =>
  models.length > 1 || models.some(({ efforts }) => efforts.length > 0);

const EFFORT_WORDS: Readonly<Record<Effort, string>> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Extra high",
  max: "Maximum",
};

/** The efforts a model offers, as values and labels; "" is the default. */
export const effortOptions = ({ efforts }: ModelView): readonly (readonly [value: string, words: string])[] => [
  ["", "Default"],
  ...efforts.map((effort) => [effort, EFFORT_WORDS[effort] ?? effort] as const),
];

/** `Claude Opus 5 · High`, or the name alone when the effort is the default. */
export const choiceWords = (model: ModelView, { effort }: ModelChoice): string => {
  const words = effortOptions(model).find(([value]) => value === effort)?.[1];
  return words === undefined || effort === "" ? model.name : `${model.name} · ${words}`;
};

/** Whether a turn was refused because of its model or effort: the message starts with the field. */
export const isRefusedChoice = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /^(?:model|effort): /.test(error.message);
