/** The only place where an error becomes a response: `{"error": string}` and nothing else in the body (api.md §1). */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { AppError, errorCode, unavailable } from "../contract/app-error.ts";
import { log } from "../contract/log.ts";
import { isAway } from "../db/db.ts";
import type { AppEnv } from "./app-env.ts";

/** The answer for every bug. The log says what went wrong, under the request's id. */
const INTERNAL_ERROR = "Something went wrong.";

/** Renders a thrown error: a refusal with its own status and text, a database that is away as a logged 503, anything else as a logged 500. */
export const renderError = (error: unknown, c: Context<AppEnv>): Response => {
  if (error instanceof AppError) return c.json({ error: error.message }, error.status, error.headers);
  // Thrown by Hono's own validator, and only for a body that is not JSON.
  if (error instanceof HTTPException && error.status === 400) return c.json({ error: "body: send valid JSON." }, 400);
  log.error("A request broke.", { requestId: c.var.requestId, error });
  if (isAway(error)) return renderError(unavailable(2), c);
  return c.json({ error: INTERNAL_ERROR }, 500, errorCode("internal"));
};
