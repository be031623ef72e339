/** The tool that asks the person. Asking is all it does: its call ends with the answers, and nothing runs. */
import { type Question, QuestionsInput } from "../../contract/guidance/question.ts";
import { cutText } from "../../contract/plain-text.ts";
import { inputTool } from "./input-tool.ts";

/** How much of a question its title repeats, in UTF-16 units. */
const MAX_TITLE_LENGTH = 80;

/** `ask_user`. */
export const askUserTool = inputTool({
  name: "ask_user",
  kind: "read",
  asksPerson: true,
  description:
    "Asks the person 1 to 4 questions with options, and waits for the answers. They can always write an answer of their own, so leave out an option such as Other. Use it when you cannot go on well without knowing what they want, never to have a change allowed: changes ask by themselves.",
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
