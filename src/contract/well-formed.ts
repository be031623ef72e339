/** Text of others, made fit to be sent on. */

/**
 * The text with U+FFFD for each half of a surrogate pair; a schema's `overwrite` where free text comes in. UTF-8 cannot spell
 * such a half, and the model's provider refuses every request with one: a conversation that holds it is lost.
 */
export const wellFormed = (text: string): string => text.toWellFormed();
