/** Input from outside becomes an action's input, or a 400 that names fields and remedies (CONTRACT §5). */
import type { z } from "zod";
import { AppError } from "../contract/app-error.ts";
import { describeProblems } from "../contract/describe-problems.ts";

/** Parses what HTTP or the agent sent. @throws {AppError} 400 with the first five problems, joined by `; `. */
export const parseInput = <Input>(schema: z.ZodType<Input>, raw: unknown): Input => {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    throw new AppError(400, "body: send a JSON object.");
  const parsed = schema.safeParse(raw);
  // Zod leaves this one key out of what it calls unknown, and drops it.
  if (parsed.success && namesPrototype(raw)) throw new AppError(400, "__proto__: unknown field, leave it out");
  if (parsed.success) return parsed.data;
  throw new AppError(400, describeProblems(parsed.error.issues, "body"));
};

/** Whether `__proto__` is a key anywhere in an input. Asked of sound ones alone: their depth is that of their schema. */
const namesPrototype = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Object.hasOwn(value, "__proto__") || Object.values(value).some(namesPrototype));
