/** A tool whose input is a zod schema: the model is given its JSON Schema, and its input is checked against it. */
import type { z } from "zod";
import { describeProblems } from "../../contract/describe-problems.ts";
import { inputSchemaOf } from "./input-schema.ts";
import type { PreparedCall, Tool } from "./tool.ts";

/** What a tool is, but for the checking of its input. */
export type InputToolParts<Input extends z.ZodType> = Pick<Tool, "name" | "kind" | "description"> & {
  readonly input: Input;
  /** `raw` is the sound input as the model gave it. */
  prepare(input: z.output<Input>, raw: Readonly<Record<string, unknown>>): PreparedCall;
};

/** Makes the tool. An input that does not fit becomes a problem that names each field and its remedy. */
export const inputTool = <Input extends z.ZodType>(parts: InputToolParts<Input>): Tool => ({
  name: parts.name,
  kind: parts.kind,
  description: parts.description,
  inputSchema: inputSchemaOf(parts.input),
  prepare: (raw) => {
    const parsed = parts.input.safeParse(raw);
    if (!parsed.success) return { problem: describeProblems(parsed.error.issues, "body") };
    return parts.prepare(parsed.data, raw);
  },
});
