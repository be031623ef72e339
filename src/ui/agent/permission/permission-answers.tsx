/** The buttons of a permission request, in the order the server offers them, and a note for a reject. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PermissionDecision, PermissionOption } from "../../../contract/permission.ts";
import { CODE_LENGTH, readCode } from "../../account/sign-in/explain-sign-in.ts";
import { ApiError } from "../../api/api-error.ts";
import { requestJson } from "../../api/request-json.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { ForeignText } from "./foreign-text.tsx";
import { isAnswer, useStillness } from "./use-stillness.ts";

/** UTF-16 units (api.md §4: the model reads it). */
const MAX_MESSAGE_LENGTH = 4_000;

type PermissionAnswersProps = {
  readonly options: readonly PermissionOption[];
  /** Whether the model can be told why it was rejected: not at all, by a button of its own, or before each reject. */
  readonly note: "none" | "extra" | "first";
  /** The whole request has been in view. */
  readonly isSeen: boolean;
  /** What was answered here, until the run confirms it. */
  readonly sent: PermissionDecision | undefined;
  readonly onAnswer: (decision: PermissionDecision, message: string) => void;
  /** Scrolls to what has not been in view. */
  readonly onShowRest: () => void;
};

/** "Reject" answers at once; "Reject with a note" first asks for a note to the model. */
export const PermissionAnswers = (props: PermissionAnswersProps) => {
  const { options, note: noting, isSeen, sent, onAnswer, onShowRest } = props;
  const [message, setMessage] = useState<string>();
  const id = useOwnId();
  const whyId = useOwnId();
  const note = useRef<HTMLTextAreaElement>(null);
  const answers = useRef<HTMLDivElement>(null);
  const isNoting = message !== undefined;
  // A button that has just become active, or that the note has moved, counts as new, like a card that has just appeared.
  const allowing = useStillness(answers, `${isSeen} ${isNoting}`);
  // No more is wanted of a reject once all was in view: a press on it at that moment must not be lost.
  const rejecting = useStillness(answers, isNoting);
  const stillnessOf = (decision: PermissionDecision) => (decision === "reject" ? rejecting : allowing);
  useLayoutEffect(() => note.current?.focus(), [isNoting]);
  const answer = (decision: PermissionDecision): void => {
    if (sent === undefined) onAnswer(decision, message ?? "");
  };
  const press = (decision: PermissionDecision, { detail }: MouseEvent): void => {
    if (!isAnswer({ detail, stillMs: stillnessOf(decision).stillMs() })) return;
    if (decision === "reject" && noting === "first" && !isNoting) setMessage("");
    else if (decision === "reject" || isSeen) answer(decision);
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
              // Still held down from opening the note, Enter would send it.
              if (!event.repeat) answer("reject");
            }}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps held-down keys from pressing its buttons. */}
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
            aria-disabled={sent !== undefined || !stillnessOf(decision).isStill || (decision !== "reject" && !isSeen)}
            aria-describedby={decision === "reject" || isSeen ? undefined : whyId}
            onClick={(event) => press(decision, event)}
          >
            {sent === decision ? "Sending…" : <ForeignText text={label} isCode />}
          </Button>
        ))}
        {noting === "extra" && !isNoting && sent === undefined && (
          <Button
            tone="ghost"
            aria-disabled={!rejecting.isStill}
            onClick={({ detail }) => isAnswer({ detail, stillMs: rejecting.stillMs() }) && setMessage("")}
          >
            Reject with a note
          </Button>
        )}
      </div>
      {!isSeen && (
        <p class="hint" id={whyId}>
          Read all of it before you allow it. “Allow” takes you to the rest.
        </p>
      )}
    </>
  );
};

/** Whether the server wants a code, which it has mailed, before this browser may allow its first command. */
export const wantsFreshCode = (error: unknown): boolean => error instanceof ApiError && error.code === "fresh_code";

/** Calls `onEntered` once the code was right, so that the answer can be sent again. */
export const FreshCodeForm = ({ onEntered }: { readonly onEntered: () => void }) => {
  const [code, setCode] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const send = async (): Promise<void> => {
    if (isBusy || code.length < CODE_LENGTH) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await requestJson("/_framework/auth/fresh-code", { method: "POST", body: { code } });
      onEntered();
    } catch (error) {
      setProblem(explainProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field
        label="Enter the code we sent you"
        hint="Needed once in this browser, before the first command."
        problem={problem}
      >
        {(control) => (
          <input
            {...control}
            ref={field}
            class="input code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellcheck={false}
            value={code}
            onInput={({ currentTarget }) => {
              currentTarget.value = readCode(currentTarget.value);
              setCode(currentTarget.value);
            }}
          />
        )}
      </Field>
      <Button tone="primary" type="submit" aria-disabled={isBusy || code.length < CODE_LENGTH}>
        {isBusy ? "Sending…" : "Continue"}
      </Button>
    </form>
  );
};
