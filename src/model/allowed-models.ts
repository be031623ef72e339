/** Which models a turn can choose from. */
import { answersAsDemo, defaultModel, type ModelVariables } from "./choose-model.ts";
import { demoModel } from "./demo-model.ts";
import { COMMITTED_MODELS } from "./model-facts.ts";

/**
 * Their ids, the default first: that one is always allowed. Then those of `AGENT_MODELS`, separated by commas; where it is not
 * set, those of the committed table. Where the demo model answers there is no other.
 */
export const allowedModels = (env: ModelVariables): readonly string[] => {
  if (answersAsDemo(env)) return [demoModel.name];
  // As text, whatever it is: wrangler.toml can hold a list.
  const listed = String(env.AGENT_MODELS ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return [...new Set([defaultModel(env), ...(listed.length > 0 ? listed : COMMITTED_MODELS)])];
};
