/** One question of the agent with its options. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Question } from "../../../contract/guidance/question.ts";
import { useOwnId } from "../../parts/use-own-id.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { type AnswerDraft, pickOption, pickOwn } from "./answer-draft.ts";

/** UTF-16 units (api.md §1, Limits). */
const MAX_ANSWER_LENGTH = 2_000;

type QuestionFieldProps = {
  readonly question: Question;
  readonly draft: AnswerDraft;
  readonly problem: ComponentChildren;
  readonly onChange: (draft: AnswerDraft) => void;
};

/** Takes the focus when it appears, which is when its option is chosen. */
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

/** The field for the person's own answer appears when its option is chosen. */
export const QuestionField = ({
  question: { question, options, multiple },
  draft,
  problem,
  onChange,
}: QuestionFieldProps) => {
  const name = useOwnId();
  const type = multiple ? "checkbox" : "radio";
  return (
    <fieldset>
      <legend>
        <ForeignText text={question} isProse />
        {multiple && <span class="hint"> Choose one or more.</span>}
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
            <ForeignText text={label} isProse />
            {description !== undefined && (
              <small class="hint">
                <ForeignText text={description} isProse />
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
