/** The only place an error becomes an answer: `{"error": string}` and nothing else in the body (spec §7). */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { AppError } from "../contract/app-error.ts";
import { errorText } from "../contract/error-text.ts";
import type { AppEnv } from "./app-env.ts";

/** Answered for every bug. What went wrong is in the log, under the request's id. */
const INTERNAL_ERROR = "Something went wrong.";

/** Renders a thrown error: a refusal as its own status and text, anything else as a logged 500. */
export const renderError = (error: unknown, c: Context<AppEnv>): Response => {
  if (error instanceof AppError) return c.json({ error: error.message }, error.status, error.headers);
  // Thrown by Hono's own validator, and only for a body that is not JSON.
  if (error instanceof HTTPException && error.status === 400) return c.json({ error: "body: send valid JSON." }, 400);
  console.error(
    JSON.stringify({
      level: "error",
      requestId: c.var.requestId,
      message: "A request broke.",
      error: errorText(error),
    }),
  );
  return c.json({ error: INTERNAL_ERROR }, 500, { "X-Error-Code": "internal" });
};
