/** The buttons of a request, in the order they were offered, and words for a reject. */
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PermissionDecision, PermissionOption } from "../../../contract/permission.ts";
import { Button } from "../../parts/button.tsx";

/** UTF-16 units (CONTRACT §4: the model reads it). */
const MAX_MESSAGE_LENGTH = 4_000;

type PermissionAnswersProps = {
  readonly options: readonly PermissionOption[];
  /** The model can be told why it was rejected. */
  readonly hasNote: boolean;
  /** What was answered here, until the run says so too. */
  readonly sent: PermissionDecision | undefined;
  readonly onAnswer: (decision: PermissionDecision, message: string) => void;
};

/** Reject answers at once; a note to the model can be written first. */
export const PermissionAnswers = ({ options, hasNote, sent, onAnswer }: PermissionAnswersProps) => {
  const [message, setMessage] = useState<string>();
  const id = useId();
  const note = useRef<HTMLTextAreaElement>(null);
  const isNoting = message !== undefined;
  useLayoutEffect(() => note.current?.focus(), [isNoting]);
  const press = (decision: PermissionDecision): void => {
    if (sent === undefined) onAnswer(decision, message ?? "");
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
              press("reject");
            }}
          />
        </div>
      )}
      <div class="answers">
        {options.map(({ decision, label }) => (
          <Button
            key={decision}
            {...(decision === "allow_once" ? { tone: "primary" } : decision === "reject" ? { tone: "ghost" } : {})}
            aria-disabled={sent !== undefined}
            onClick={() => press(decision)}
          >
            {sent === decision ? "Sending…" : label}
          </Button>
        ))}
        {hasNote && !isNoting && sent === undefined && (
          <Button tone="ghost" onClick={() => setMessage("")}>
            Reject with a note
          </Button>
        )}
      </div>
    </>
  );
};
