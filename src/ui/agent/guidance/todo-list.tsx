/** What the agent has to do, in its own words. */
import { type Icon, IconCircle, IconCircleCheck, IconCircleDot } from "@tabler/icons-preact";
import type { Todo } from "../../../contract/guidance/todo.ts";
import { ForeignText } from "../permission/foreign-text.tsx";

const FACES: Readonly<Record<Todo["state"], readonly [Icon, string]>> = {
  open: [IconCircle, "To do: "],
  doing: [IconCircleDot, "In progress: "],
  done: [IconCircleCheck, "Done: "],
};

/** The newest list of a run, with its entries ticked off as the run works. Shows nothing for an empty list. */
export const TodoList = ({ todos }: { readonly todos: readonly Todo[] }) =>
  todos.length === 0 ? null : (
    <section class="todos" aria-label="To-dos of the agent">
      <h3>
        To-dos{" "}
        <span class="hint">
          {todos.filter(({ state }) => state === "done").length} of {todos.length} done
        </span>
      </h3>
      <ul>
        {todos.map(({ text, state }, nth) => {
          const [Face, word] = FACES[state];
          return (
            <li key={nth} class={state}>
              <Face size={18} stroke={1.75} aria-hidden="true" />
              <span>
                <span class="vh">{word}</span>
                <ForeignText text={text} isProse />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
