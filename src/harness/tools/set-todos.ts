/** The tool with which the agent shows what it has to do. The list is for the person; nothing depends on it. */
import { TodosInput } from "../../contract/guidance/todo.ts";
import { inputTool } from "./input-tool.ts";

/** `set_todos`. */
export const setTodosTool = inputTool({
  name: "set_todos",
  kind: "read",
  description:
    "Shows the person a list of what you have to do, and how far you are. Use it for work of three steps or more: set it when you begin, and again whenever a step begins or is done. Each call replaces the whole list.",
  input: TodosInput,
  prepare: ({ items }) => ({
    title: "Update the to-dos",
    mayBecomeRule: false,
    run: async ({ showTodos }) => {
      showTodos?.(items);
      const done = items.filter(({ state }) => state === "done").length;
      return { output: `The person sees the list: ${done} of ${items.length} done.`, isError: false };
    },
  }),
});
