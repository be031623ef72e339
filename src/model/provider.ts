/** What asks a model, or the provider about its models. Loads late: nothing may import this file statically. */
export { fetchModels } from "./anthropic/fetch-models.ts";
export { chooseModel, foreignModel } from "./choose-model.ts";
