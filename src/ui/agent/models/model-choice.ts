/** Which model a chat asks, and how hard it thinks: pure rules of the choice. */
import type { Effort, ModelView } from "../../../contract/models.ts";
import { ApiError } from "../../actions/api-error.ts";

/** What goes along with a turn. What is left out is the deployment's default. */
export type ModelChoice = { readonly model?: string; readonly effort?: string };

/** Everything as the deployment has it. */
export const DEFAULT_CHOICE: ModelChoice = {};

/** The model that a choice means: the default one where it names none, or one that is not offered any more. */
export const modelOf = ({ model }: ModelChoice, models: readonly ModelView[]): ModelView | undefined =>
  models.find(({ id }) => id === model) ?? models.find(({ isDefault }) => isDefault) ?? models[0];

/** What of a choice holds for these models. One that is spelled out but is the default is left out. */
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

/** What can be picked for a model, as values and words; "" is the default. */
export const effortOptions = ({ efforts }: ModelView): readonly (readonly [value: string, words: string])[] => [
  ["", "Default"],
  ...efforts.map((effort) => [effort, EFFORT_WORDS[effort] ?? effort] as const),
];

/** `Claude Opus 5 · High`; the name alone where the effort is the default. */
export const choiceWords = (model: ModelView, { effort }: ModelChoice): string => {
  const words = effortOptions(model).find(([value]) => value === effort)?.[1];
  return words === undefined || effort === "" ? model.name : `${model.name} · ${words}`;
};

/** Whether a turn was refused for its model or effort, which the message names first. */
export const isRefusedChoice = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /^(?:model|effort): /.test(error.message);
