/** Exact amounts on the wire: decimal strings in one canonical form, never floats (api.md §5). */
import * as z from "zod";
import { canonicalDecimal, writeOut } from "./canonical-decimal.ts";

const REMEDY = "use a plain decimal such as 12.5, at most 12 digits before the point and 10 after it";

/** An amount before it is made canonical. */
const PLAIN = /^-?\d{1,12}(\.\d{1,10})?$/;

/** An amount in an input: parses a string or a JSON number, of any sign, into a canonical decimal string. */
const Decimal = z.union([z.string(), z.number()], { error: REMEDY }).transform((value, ctx) => {
  const plain = typeof value === "number" ? writeOut(value) : value.trim();
  if (PLAIN.test(plain)) return canonicalDecimal(plain);
  ctx.issues.push({ code: "custom", message: REMEDY, input: value });
  return z.NEVER;
});

/** A quantity or a price: 0 or more. */
export const Amount = Decimal.refine((text) => !text.startsWith("-"), { error: "use 0 or more" });

/** A target price: more than 0. */
export const TargetPrice = Decimal.refine((text) => text !== "0" && !text.startsWith("-"), {
  error: "use more than 0",
});

/** A canonical decimal in an answer. */
export const DecimalText = z.string().regex(/^(?!-0$)-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
