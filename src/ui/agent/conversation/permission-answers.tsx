/** The buttons of a request, in the order they were offered, and words for a reject. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PermissionDecision, PermissionOption } from "../../../contract/permission.ts";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { isAnswer } from "../permission/press-guard.ts";
import { useStillness } from "../permission/use-stillness.ts";

/** UTF-16 units (CONTRACT §4: the model reads it). */
const MAX_MESSAGE_LENGTH = 4_000;

type PermissionAnswersProps = {
  readonly options: readonly PermissionOption[];
  /** The model can be told why it was rejected. */
  readonly hasNote: boolean;
  /** All that is asked has been in view. */
  readonly isSeen: boolean;
  /** What was answered here, until the run says so too. */
  readonly sent: PermissionDecision | undefined;
  readonly onAnswer: (decision: PermissionDecision, message: string) => void;
  /** Leads to what has not been in view. */
  readonly onShowRest: () => void;
};

/** Reject answers at once; a note to the model can be written first. */
export const PermissionAnswers = (props: PermissionAnswersProps) => {
  const { options, hasNote, isSeen, sent, onAnswer, onShowRest } = props;
  const [message, setMessage] = useState<string>();
  const id = useOwnId();
  const whyId = useOwnId();
  const note = useRef<HTMLTextAreaElement>(null);
  const answers = useRef<HTMLDivElement>(null);
  // A button that has just become active is as new as a card that has just come.
  const { isStill, stoodMs } = useStillness(answers, isSeen);
  const isNoting = message !== undefined;
  useLayoutEffect(() => note.current?.focus(), [isNoting]);
  const answer = (decision: PermissionDecision): void => {
    if (sent === undefined) onAnswer(decision, message ?? "");
  };
  const press = (decision: PermissionDecision, { detail }: MouseEvent): void => {
    if (!isAnswer({ detail, stoodMs: stoodMs() })) return;
    if (decision === "reject" || isSeen) answer(decision);
    else onShowRest();
  };
  return (
    <>
      {isNoting && (
        <div class="field">
          <label for={id}>What should it do instead? (optional)</label>
          <textarea
            ref={note}
            id={id}
            class="input"
            rows={2}
            maxLength={MAX_MESSAGE_LENGTH}
            value={message}
            onInput={({ currentTarget }) => setMessage(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              // Held down since it opened the note, it would send it.
              if (!event.repeat) answer("reject");
            }}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps keys that are held down from its buttons. */}
      <div
        class="answers"
        ref={answers}
        onKeyDown={(event) => {
          if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
        }}
      >
        {options.map(({ decision, label }) => (
          <Button
            key={decision}
            {...(decision === "allow_once" ? { tone: "primary" } : decision === "reject" ? { tone: "ghost" } : {})}
            aria-disabled={sent !== undefined || !isStill || (decision !== "reject" && !isSeen)}
            aria-describedby={decision === "reject" || isSeen ? undefined : whyId}
            onClick={(event) => press(decision, event)}
          >
            {sent === decision ? "Sending…" : <ForeignText text={label} isCode />}
          </Button>
        ))}
        {hasNote && !isNoting && sent === undefined && (
          <Button
            tone="ghost"
            aria-disabled={!isStill}
            onClick={({ detail }) => isAnswer({ detail, stoodMs: stoodMs() }) && setMessage("")}
          >
            Reject with a note
          </Button>
        )}
      </div>
      {!isSeen && (
        <p class="hint" id={whyId}>
          Look through all of it before you allow it. “Allow” leads to what is left.
        </p>
      )}
    </>
  );
};
