/** The JSON Schema of a tool's input, as the model is given it. */
import * as z from "zod";

const known = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/** The schema of what goes in. Made once for each input: it takes longer than all the rest of a turn's start. */
export const inputSchemaOf = (input: z.ZodType): Readonly<Record<string, unknown>> => {
  const made = known.get(input) ?? z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  known.set(input, made);
  return made;
};
