/** The model that answers when `AGENT_MODEL` names none. The dev command prints it, so it stands alone here. */

/** A name of the Messages API. */
export const DEFAULT_MODEL = "claude-sonnet-5-5";
