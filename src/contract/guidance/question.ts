/** What the agent asks its person with `ask_user`, and what a person answers. An answer is a wish, never a permission (api.md §4). */
import * as z from "zod";
import { RequestId } from "../ids.ts";
import { wellFormed } from "../plain-text.ts";

/** Most questions in one call: more would be a form, which nobody wants to fill in for an agent. */
const MAX_QUESTIONS = 4;

/** How many options a question has. One is not a choice, and nobody reads more than six. A person can always write their own answer. */
const OPTIONS = { min: 2, max: 6 } as const;

/** Longest texts, in UTF-16 units. All texts of a call together fit into one frame of the stream, however they are encoded. */
const MAX_LENGTH = { question: 400, label: 80, description: 200 } as const;

/** Longest answer, and the limit for all answers of one call together, in UTF-16 units: their event has to fit into one frame too. */
const MAX_ANSWER_LENGTH = 2_000;
export const MAX_ANSWERS_LENGTH = 8_000;

/** Most answers to one question: every option, and one of a person's own. */
const MAX_ANSWERS = OPTIONS.max + 1;

const shortText = (max: number) => {
  const remedy = `use 1 to ${max} characters`;
  return z.string(remedy).overwrite(wellFormed).trim().min(1, remedy).max(max, remedy);
};

const areDifferent = (options: readonly { readonly label: string }[]): boolean =>
  new Set(options.map(({ label }) => label)).size === options.length;

/** The input of `ask_user`. */
export const QuestionsInput = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        question: shortText(MAX_LENGTH.question).describe("The question, as you would say it to the person."),
        options: z
          .array(
            z.strictObject({
              label: shortText(MAX_LENGTH.label).describe("The answer in a few words."),
              description: shortText(MAX_LENGTH.description).optional().describe("What choosing it means."),
            }),
            "use a list of options",
          )
          .min(OPTIONS.min, `use ${OPTIONS.min} to ${OPTIONS.max} options`)
          .max(OPTIONS.max, `use ${OPTIONS.min} to ${OPTIONS.max} options`)
          .refine(areDifferent, "use a different label for each option"),
        multiple: z.boolean("use true or false").optional().describe("Whether several options can be chosen."),
      }),
      "use a list of questions",
    )
    .min(1, `use 1 to ${MAX_QUESTIONS} questions`)
    .max(MAX_QUESTIONS, `use 1 to ${MAX_QUESTIONS} questions`),
});

/** A question as it is sent, stored and shown. */
export const Question = z.object({
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string().exactOptional() })),
  multiple: z.boolean(),
});
export type Question = z.infer<typeof Question>;

/** What a question's request says, in its event, in the answer of its route and in the store. */
export const QUESTION_FIELDS = {
  requestId: RequestId,
  toolCallId: z.string(),
  questions: z.array(Question),
  expiresAt: z.iso.datetime(),
};

/** The answers: for each question a list, which holds one answer unless several can be chosen. */
export const Answers = z.array(z.array(z.string()));
export type Answers = z.infer<typeof Answers>;

/** Body of the answer. Any text is an answer, whether it is an option or not. */
export const QuestionAnswer = z.union([
  z.strictObject({ answers: z.array(z.array(shortText(MAX_ANSWER_LENGTH)).min(1).max(MAX_ANSWERS)).min(1) }),
  z.strictObject({ declined: z.literal(true) }),
]);
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;
