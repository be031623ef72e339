/** The to-dos of a run, as the agent keeps them for its person to follow (api.md §3). */
import * as z from "zod";
import { wellFormed } from "../plain-text.ts";

/** Most to-dos: a longer list says nothing at a glance. */
const MAX_TODOS = 50;

/** Longest text of a to-do, in UTF-16 units: fifty fit into one frame of the stream, however they are encoded. */
const MAX_TODO_LENGTH = 160;

const STATE = "use open, doing or done";
const TEXT = `use 1 to ${MAX_TODO_LENGTH} characters`;

/** One to-do. */
export const Todo = z.object({ text: z.string(), state: z.enum(["open", "doing", "done"], STATE) });
export type Todo = z.infer<typeof Todo>;

/** The input of `set_todos`: the whole list, which replaces the one before. */
export const TodosInput = z.strictObject({
  items: z
    .array(
      z.strictObject({
        text: z.string(TEXT).overwrite(wellFormed).trim().min(1, TEXT).max(MAX_TODO_LENGTH, TEXT),
        state: Todo.shape.state,
      }),
      "use a list of to-dos",
    )
    .max(MAX_TODOS, `use at most ${MAX_TODOS} to-dos`)
    .describe("The whole list in order. It replaces the one before."),
});
