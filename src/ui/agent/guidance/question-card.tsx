/** What the agent asks its person: options, room for the person's own answer, and later what was answered. */
import { IconMessageQuestion } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Question } from "../../../contract/guidance/question.ts";
import { ApiError } from "../../api/api-error.ts";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { keptState } from "../../state/kept-state.ts";
import { useFocusBack } from "../conversation/conversation-context.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { answerQuestions } from "../conversation/run/run-requests.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { EXPIRY, takesFocus } from "../permission/permission-card.tsx";
import { isAnswer, useStillness } from "../permission/use-stillness.ts";
import type { QuestionState } from "../stream/question-state.ts";
import type { ToolItem } from "../stream/transcript-item.ts";
import { type AnswerDraft, answersOf, NO_ANSWER } from "./answer-draft.ts";
import { QuestionField } from "./question-field.tsx";

type QuestionCardProps = {
  readonly question: QuestionState;
  readonly runId: string;
  readonly isLive: boolean;
};

const useDrafts = keptState<readonly AnswerDraft[]>();

/** Disappears when the run reports an answer, whoever gave it. */
export const QuestionCard = ({ question: { requestId, questions, expiresAt }, runId, isLive }: QuestionCardProps) => {
  const card = useFocusBack<HTMLDivElement>();
  const titleId = useOwnId();
  const [drafts, setDrafts] = useDrafts(requestId, []);
  const [sent, setSent] = useState<"answers" | "declined">();
  const [problem, setProblem] = useState<string>();
  const [missing, setMissing] = useState<number>();
  const buttons = useRef<HTMLDivElement>(null);
  const { isStill, stillMs } = useStillness(buttons, requestId);
  const isMeant = ({ detail }: MouseEvent): boolean => isAnswer({ detail, stillMs: stillMs() });
  useLayoutEffect(() => {
    if (isLive && takesFocus(card.current)) card.current?.focus({ preventScroll: true });
  }, [isLive]);

  const send = async (answers: readonly (readonly string[])[] | undefined): Promise<void> => {
    if (sent !== undefined) return;
    setSent(answers === undefined ? "declined" : "answers");
    setProblem(undefined);
    setMissing(undefined);
    try {
      await answerQuestions(runId, requestId, answers);
    } catch (error) {
      // Answered elsewhere first: the run's events say so and remove this card.
      if (error instanceof ApiError && (error.status === 409 || error.status === 410)) return;
      setSent(undefined);
      setProblem(explainProblem(error));
    }
  };
  const submit = (): void => {
    const answers = questions.map((_, nth) => answersOf(drafts[nth] ?? NO_ANSWER));
    const nth = answers.findIndex((given) => given.length === 0);
    if (nth < 0) return void send(answers);
    setProblem(undefined);
    setMissing(nth);
    const field = card.current?.querySelectorAll("fieldset")[nth];
    // The question with its message, not only the field that gets the focus.
    field?.scrollIntoView({ block: "nearest" });
    const input = field?.querySelector<HTMLInputElement>("input.input") ?? field?.querySelector("input");
    input?.focus({ preventScroll: true });
  };
  const missingWords = ({ question }: Question): ComponentChildren =>
    questions.length === 1 ? (
      "Choose an answer, or decline."
    ) : (
      <>
        “<ForeignText text={question} isProse />” has no answer yet.
      </>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot take the focus in all browsers.
    <div ref={card} id={`request-${requestId}`} class="ask" role="group" aria-labelledby={titleId} tabIndex={-1}>
      <h3 id={titleId}>
        <IconMessageQuestion size={18} stroke={1.75} aria-hidden="true" />
        <span>The agent asks</span>
      </h3>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {questions.map((question, nth) => (
          <QuestionField
            key={nth}
            question={question}
            draft={drafts[nth] ?? NO_ANSWER}
            problem={missing === nth ? missingWords(question) : undefined}
            onChange={(draft) => {
              if (missing === nth) setMissing(undefined);
              setDrafts(questions.map((_, other) => (other === nth ? draft : (drafts[other] ?? NO_ANSWER))));
            }}
          />
        ))}
        <div class="answers" ref={buttons}>
          <div class="first">
            <Button
              type="submit"
              tone="primary"
              aria-disabled={sent !== undefined || !isStill}
              // Enter in a field clicks this button too.
              onClick={(event) => isMeant(event) || event.preventDefault()}
            >
              {sent === "answers" ? "Sending…" : "Send"}
            </Button>
            <Button
              aria-disabled={sent !== undefined || !isStill}
              onClick={(event) => isMeant(event) && void send(undefined)}
            >
              {sent === "declined" ? "Sending…" : "Decline"}
            </Button>
          </div>
        </div>
      </form>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="hint">Your answer does not allow any changes. Expires {EXPIRY.format(new Date(expiresAt))}.</p>
    </div>
  );
};

type QuestionOutcomeProps = { readonly question: QuestionState; readonly status: ToolItem["status"] };

/** What was asked and answered, in place of the card. `status`: of the call that asked. */
export const QuestionOutcome = ({ question: { questions, reply }, status }: QuestionOutcomeProps) => (
  <dl class="answered">
    {questions.map(({ question }, nth) => (
      <div key={nth}>
        <dt>
          <ForeignText text={question} isProse />
        </dt>
        <dd>
          {reply?.answers ? (
            <ForeignText text={(reply.answers[nth] ?? []).join(", ")} isProse />
          ) : (
            noAnswerWords(reply, status)
          )}
        </dd>
      </div>
    ))}
  </dl>
);

const noAnswerWords = (reply: QuestionState["reply"], status: ToolItem["status"]): string => {
  if (reply?.by === "user") return "You declined.";
  if (status === "aborted") return "Stopped before you answered.";
  // Until the call has ended, it is not known why.
  return status === "running" ? "Not answered." : "Not answered in time.";
};
