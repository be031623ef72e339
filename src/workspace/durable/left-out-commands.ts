/**
 * Commands of just-bash that a durable workspace does not have: what tells types of media files apart, a converter that no shell has, and
 * the one for a network that is not there. They are a tenth of it, and a deploy leaves them out (`cli/build/smaller-shell`).
 */
export const LEFT_OUT_COMMANDS = ["file", "html-to-markdown", "curl"] as const;
