/** The questions of a turn. Each is sent as a line, and waits for its answer. */
import type { QuestionAnswer, TurnLine } from "../../harness/agent-sdk/host-wire.ts";
import type { AgentAnswer } from "./agent-start.ts";

type Question = Extract<TurnLine, { type: "permission" | "tool" }>;

/** A question without its id. The type treats each kind of question separately. */
type Asked<Kind> = Kind extends Question ? Omit<Kind, "questionId"> : never;

/** Open questions by their id. */
export class Questions {
  readonly #send: (line: TurnLine) => void;
  readonly #open = new Map<string, (answer: QuestionAnswer) => void>();

  constructor(send: (line: TurnLine) => void) {
    this.#send = send;
  }

  /** Resolves with the answer. If no answer comes it never resolves, and the turn is stopped from outside. */
  ask(question: Asked<Question>): Promise<QuestionAnswer> {
    const questionId = crypto.randomUUID();
    const answered = Promise.withResolvers<QuestionAnswer>();
    this.#open.set(questionId, answered.resolve);
    this.#send({ ...question, questionId });
    return answered.promise;
  }

  /** An answer to a question that is not open is ignored. */
  answer({ questionId, answer }: AgentAnswer): void {
    const resolve = this.#open.get(questionId);
    this.#open.delete(questionId);
    resolve?.(answer);
  }
}
