/** The one 401 (spec §7): for nobody, and for a log-in that was revoked. */
import { AppError } from "./app-error.ts";

/** The refusal, with its text word for word. */
export const signInFirst = (): AppError => new AppError(401, "Sign in to run the agent.");
