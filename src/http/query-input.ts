/** A query string as an action's input: numbers and booleans written as text, lists as repeated keys (CONTRACT §2). */
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { cutText } from "../contract/cut-text.ts";

/** JSON types of an input's fields by name. Read off the schema, so that no field needs a second spelling for GET. */
export type FieldTypes = ReadonlyMap<string, string>;

/** The field types of an action's input; made once per action. */
export const readFieldTypes = (input: z.ZodType): FieldTypes => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  return new Map(
    Object.entries(properties).map(([name, field]) => [name, typeof field === "object" ? String(field.type) : ""]),
  );
};

/**
 * The query as an object. Text that is not of its field's type stays text, and an unknown key stays in, for the schema to
 * refuse by name. @throws {AppError} 400 for a key given twice that is no list.
 */
export const readQuery = (query: URLSearchParams, types: FieldTypes): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const texts = query.getAll(name);
      const type = types.get(name);
      if (type === "array") return [name, texts];
      const [text = "", ...others] = texts;
      if (others.length > 0) throw new AppError(400, `${cutText(name, 64)}: give it once`);
      return [name, readText(text, type)];
    }),
  );

const readText = (text: string, type: string | undefined): unknown => {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  return text;
};
