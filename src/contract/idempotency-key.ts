/** The key with which a screen can send a write twice and have it done once (CONTRACT §5). */
import * as z from "zod";

const REMEDY = "use 1 to 255 characters";

/** Kept for 24 h per owner. The agent's tools do not offer it: a call of the agent has a key of its own. */
export const IdempotencyKey = z.string(REMEDY).min(1, REMEDY).max(255, REMEDY);
