import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import type { CodeSending } from "./use-code-sending.ts";

type StepFormProps = {
  /** Announced to screen readers when it appears; the field shows it. */
  readonly problem: string | undefined;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
};

/** A form that the browser never submits itself. */
export const StepForm = ({ problem, onSubmit, children }: StepFormProps) => {
  useEffect(() => {
    if (problem !== undefined) announce(problem);
  }, [problem]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
};

type EmailStepProps = {
  /** The initial text. */
  readonly email: string;
  readonly sending: CodeSending;
  readonly onSent: (email: string) => void;
};

/** A rough check. Only mail to it can tell whether the address exists. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The first step: where to send the code. It never reveals whether an address has an account. */
export const EmailStep = ({ email, sending: { send, isSending, problem, setProblem }, onSent }: EmailStepProps) => {
  const [text, setText] = useState(email);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = async (): Promise<void> => {
    const typed = text.trim();
    if (!EMAIL.test(typed)) setProblem("Enter an address such as ann@example.com.");
    else if (await send(typed)) return onSent(typed);
    field.current?.focus();
  };
  return (
    <StepForm problem={problem} onSubmit={() => void submit()}>
      <Field label="Email" problem={problem}>
        {(control) => (
          <input
            {...control}
            ref={field}
            class="input"
            type="email"
            name="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellcheck={false}
            required
            readOnly={isSending}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <Button tone="primary" type="submit" aria-disabled={isSending}>
        {isSending ? "Sending…" : "Send me a code"}
      </Button>
      <p class="hint">
        No password: we email you a code each time you sign in. Your account is created the first time.
      </p>
    </StepForm>
  );
};
