/** A JSON body checked by its schema, for routes whose refusals have words of their own. */
import { zValidator } from "@hono/zod-validator";
import type { z } from "zod";
import type { AppError } from "../contract/app-error.ts";

/** Middleware that leaves the parsed body in `c.req.valid("json")`; `refusal` words what is wrong with one. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema, refusal: (issues: z.core.$ZodIssue[]) => AppError) =>
  zValidator("json", schema, (result) => {
    if (!result.success) throw refusal(result.error.issues);
  });
