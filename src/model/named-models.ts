/** Which models the variables name. Without the Worker's types, because the dev command and the deploy import it too. */
import { COMMITTED_MODELS } from "./model-facts.ts";

/** A model id of the Messages API: the model that answers when `AGENT_MODEL` names none. */
export const DEFAULT_MODEL = "claude-sonnet-5-5";

/** The variables, as the environment or wrangler.toml has them. In wrangler.toml a variable can be a list. */
type Named = { readonly AGENT_MODEL?: unknown; readonly AGENT_MODELS?: unknown };

/** The name of the model that answers when none is chosen. */
export const defaultModel = ({ AGENT_MODEL = "" }: Named): string => String(AGENT_MODEL).trim() || DEFAULT_MODEL;

/**
 * The models that the variables allow, with the default first, which is always allowed; then those of `AGENT_MODELS`, separated by
 * commas, or, when that is unset, those of the committed table.
 */
export const namedModels = (variables: Named): readonly string[] => {
  const listed = String(variables.AGENT_MODELS ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return [...new Set([defaultModel(variables), ...(listed.length > 0 ? listed : COMMITTED_MODELS)])];
};
