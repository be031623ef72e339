/** The tools that are for the person: the agent asks questions, proposes a plan, and shows what it has to do. */

import * as z from "zod";
import { type Question, QuestionsInput } from "../../contract/guidance/question.ts";
import { TodosInput } from "../../contract/guidance/todo.ts";
import { cutText, groupDigits, wellFormed } from "../../contract/plain-text.ts";
import { PLAN_ACCEPTED, PROPOSE_PLAN } from "../plan-mode.ts";
import { inputTool } from "./input-tool.ts";

/** How much of a question its title repeats, in UTF-16 units. */
const MAX_TITLE_LENGTH = 80;

/** `ask_user`. Asking is all it does: its call ends with the answers, and nothing runs. */
export const askUserTool = inputTool({
  name: "ask_user",
  kind: "read",
  asksPerson: true,
  description:
    "Asks the person 1 to 4 questions with options, and waits for the answers. They can always write an answer of their own, so leave out an option such as Other. Use it when you cannot go on well without knowing what they want, never to get a change allowed: changes ask for permission themselves.",
  input: QuestionsInput,
  prepare: ({ questions }) => ({
    title: cutText(questions[0]?.question ?? "", MAX_TITLE_LENGTH),
    mayBecomeRule: false,
    questions: questions.map(
      ({ question, options, multiple }): Question => ({
        question,
        options: options.map(({ label, description }) => ({
          label,
          ...(description === undefined ? {} : { description }),
        })),
        multiple: multiple === true,
      }),
    ),
    // Never reached: the call ends with the person's answer.
    run: async () => "no_effect",
  }),
});

/** Longest plan, in UTF-16 units: it is read whole before it is accepted, and goes whole into one frame of the stream. */
const MAX_PLAN_LENGTH = 10_000;

const REMEDY = `use 1 to ${groupDigits(MAX_PLAN_LENGTH)} characters`;

const PlanInput = z.strictObject({
  markdown: z
    .string(REMEDY)
    .overwrite(wellFormed)
    .trim()
    .min(1, REMEDY)
    .max(MAX_PLAN_LENGTH, REMEDY)
    .describe("The whole plan as Markdown: what you will change, in which order, and how you will check it."),
});

/** `propose_plan`. The person accepts it, which ends plan mode, or says what to change. */
export const proposePlanTool = inputTool({
  name: PROPOSE_PLAN,
  kind: "read",
  asksPerson: true,
  description: "In plan mode only: proposes a plan, and waits until the person accepts it or says what to change.",
  input: PlanInput,
  prepare: ({ markdown }) => ({
    title: "Propose a plan",
    mayBecomeRule: false,
    propose: async () => ({ subject: { type: "plan", markdown } }),
    run: async () => ({ output: PLAN_ACCEPTED, isError: false }),
  }),
});

/** `set_todos`. The list is for the person; nothing depends on it. */
export const setTodosTool = inputTool({
  name: "set_todos",
  kind: "read",
  description:
    "Shows the person a list of what you have to do, and how far you have got. Use it for work of three steps or more: set it when you begin, and again whenever a step begins or is done. Each call replaces the whole list.",
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
