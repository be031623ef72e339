/** What the agent asks its person: options, room for an answer of one's own, and later what was answered. */
import { IconMessageQuestion } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Question } from "../../../contract/guidance/question.ts";
import { ApiError } from "../../api/api-error.ts";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { useFocusBack } from "../conversation/conversation-context.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { answerQuestions } from "../conversation/run/run-requests.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { EXPIRY, takesFocus } from "../permission/permission-card.tsx";
import type { QuestionState } from "../stream/question-state.ts";
import { type AnswerDraft, answersOf, NO_ANSWER, pickOption, pickOwn } from "./answer-draft.ts";

/** UTF-16 units (api.md §1, Limits). */
const MAX_ANSWER_LENGTH = 2_000;

type QuestionFieldProps = {
  readonly question: Question;
  readonly draft: AnswerDraft;
  readonly problem: ComponentChildren;
  readonly onChange: (draft: AnswerDraft) => void;
};

/** Takes the focus when it comes, which is when its option is chosen. */
const OwnAnswer = ({ draft, onChange }: Pick<QuestionFieldProps, "draft" | "onChange">) => {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <input
      ref={field}
      class="input"
      aria-label="Your own answer"
      autoComplete="off"
      maxLength={MAX_ANSWER_LENGTH}
      value={draft.own}
      onInput={({ currentTarget }) => onChange({ ...draft, own: currentTarget.value })}
    />
  );
};

/** One question. The field for an answer of one's own comes with its option. */
const QuestionField = ({ question: { question, options, multiple }, draft, problem, onChange }: QuestionFieldProps) => {
  const name = useOwnId();
  const type = multiple ? "checkbox" : "radio";
  return (
    <fieldset>
      <legend>
        <ForeignText text={question} />
        {multiple && <span class="hint"> Choose any.</span>}
      </legend>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {options.map(({ label, description }) => (
        <label key={label} class="check">
          <input
            type={type}
            name={name}
            checked={draft.chosen.includes(label)}
            onChange={() => onChange(pickOption(draft, label, multiple))}
          />
          <span>
            <ForeignText text={label} />
            {description !== undefined && (
              <small class="hint">
                <ForeignText text={description} />
              </small>
            )}
          </span>
        </label>
      ))}
      <label class="check">
        <input type={type} name={name} checked={draft.isOwn} onChange={() => onChange(pickOwn(draft, multiple))} />
        <span>Something else</span>
      </label>
      {draft.isOwn && <OwnAnswer draft={draft} onChange={onChange} />}
    </fieldset>
  );
};

type QuestionCardProps = {
  readonly question: QuestionState;
  readonly runId: string;
  readonly isLive: boolean;
};

/** Disappears when the run reports an answer, whoever gave it. */
export const QuestionCard = ({ question: { requestId, questions, expiresAt }, runId, isLive }: QuestionCardProps) => {
  const card = useFocusBack<HTMLDivElement>();
  const titleId = useOwnId();
  const [drafts, setDrafts] = useState<readonly AnswerDraft[]>(() => questions.map(() => NO_ANSWER));
  const [sent, setSent] = useState<"answers" | "declined">();
  const [problem, setProblem] = useState<string>();
  const [missing, setMissing] = useState<number>();
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
    const answers = drafts.map(answersOf);
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
      "Choose an answer, or reject."
    ) : (
      <>
        “<ForeignText text={question} />” has no answer yet.
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
              setDrafts(drafts.with(nth, draft));
            }}
          />
        ))}
        <div class="answers">
          <div class="first">
            <Button type="submit" tone="primary" aria-disabled={sent !== undefined}>
              {sent === "answers" ? "Sending…" : "Send"}
            </Button>
            <Button aria-disabled={sent !== undefined} onClick={() => void send(undefined)}>
              {sent === "declined" ? "Sending…" : "Reject"}
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

/** What was asked and answered, in place of the card. */
export const QuestionOutcome = ({ question: { questions, reply } }: { readonly question: QuestionState }) => (
  <dl class="answered">
    {questions.map(({ question }, nth) => (
      <div key={nth}>
        <dt>
          <ForeignText text={question} />
        </dt>
        <dd>{reply?.answers ? <ForeignText text={(reply.answers[nth] ?? []).join(", ")} /> : noAnswerWords(reply)}</dd>
      </div>
    ))}
  </dl>
);

const noAnswerWords = (reply: QuestionState["reply"]): string =>
  reply?.by === "user" ? "You declined." : "Not answered in time.";
