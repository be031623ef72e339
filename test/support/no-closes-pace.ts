import type { ClosesPace } from "../../src/quotes/object/ask-source.ts";

/** Closes may always be asked for. */
export const NO_CLOSES_PACE: ClosesPace = { isDue: () => true, take: () => undefined, forget: () => undefined };
