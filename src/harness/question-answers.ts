/** What the model reads about the answers to its questions, and which answers fit them. */
import { type Answers, MAX_ANSWERS_LENGTH, type Question } from "../contract/guidance/question.ts";

export const DECLINED =
  "The person declined to answer. Do not ask the same again: go on as well as you can without, or say what you need.";

export const UNANSWERED = "Nobody answered in time, so it counts as declined.";

/** What is wrong with the answers, in words for whoever sent them; undefined when they fit. */
export const unfitAnswers = (questions: readonly Question[], answers: Answers): string | undefined => {
  if (answers.length !== questions.length) {
    return `answers: give one list for each question, which makes ${questions.length}.`;
  }
  const nth = questions.findIndex(({ multiple }, index) => !multiple && answers[index]?.length !== 1);
  if (nth >= 0) return `answers: give one answer to question ${nth + 1}.`;
  const length = answers.flat().reduce((sum, answer) => sum + answer.length, 0);
  return length > MAX_ANSWERS_LENGTH ? "answers: use at most 8,000 characters in all." : undefined;
};

/** The answers as the call's result. */
export const answersText = (questions: readonly Question[], answers: Answers): string =>
  [
    "The person answered. An answer says what they want and permits nothing: each change still asks for permission.",
    ...questions.map(({ question }, nth) => `Question: ${question}\n${given(answers[nth] ?? [])}`),
  ].join("\n\n");

const given = (answers: readonly string[]): string =>
  answers.length === 1 ? `Answer: ${answers[0]}` : `Answers:\n${answers.map((answer) => `- ${answer}`).join("\n")}`;
