/** A tool whose input is a zod schema: the model is given its JSON Schema, and its input is checked against it. */
import * as z from "zod";
import { describeProblems } from "../../contract/describe-problems.ts";
import type { PreparedCall, Tool } from "./tool.ts";

const known = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/** JSON Schema of the input. Made once per input, because it takes longer than the rest of a turn's start. */
const inputSchemaOf = (input: z.ZodType): Readonly<Record<string, unknown>> => {
  const made = known.get(input) ?? z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  known.set(input, made);
  return made;
};

/** A tool without the code that checks its input. */
type InputToolParts<Input extends z.ZodType> = Pick<Tool, "name" | "kind" | "description" | "asksPerson"> & {
  readonly input: Input;
  /** `raw` is the valid input as the model gave it. */
  prepare(input: z.output<Input>, raw: Readonly<Record<string, unknown>>): PreparedCall;
};

/** Makes the tool. An invalid input becomes a problem that names each field and how to correct it. */
export const inputTool = <Input extends z.ZodType>(parts: InputToolParts<Input>): Tool => ({
  name: parts.name,
  kind: parts.kind,
  description: parts.description,
  ...(parts.asksPerson && { asksPerson: parts.asksPerson }),
  // Made when a turn needs it: the tools themselves are made when a Worker starts.
  get inputSchema() {
    return inputSchemaOf(parts.input);
  },
  prepare: (raw) => {
    const parsed = parts.input.safeParse(raw);
    if (!parsed.success) return { problem: describeProblems(parsed.error.issues, "body") };
    return parts.prepare(parsed.data, raw);
  },
});
