/** The model that answers when `AGENT_MODEL` names none. A separate file, because the dev command imports it too. */

/** A model id of the Messages API. */
export const DEFAULT_MODEL = "claude-sonnet-5-5";
