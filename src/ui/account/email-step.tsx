/** The first step of signing in: which address the code goes to. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { StepForm } from "./step-form.tsx";
import type { CodeSending } from "./use-code-sending.ts";

type EmailStepProps = {
  /** What it starts with. */
  readonly email: string;
  readonly sending: CodeSending;
  readonly onSent: (email: string) => void;
};

/** As the server trims it; whether there is such an address only its mail can tell. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Says the same of every address: that a code was sent. */
export const EmailStep = ({ email, sending: { send, isSending, problem, setProblem }, onSent }: EmailStepProps) => {
  const [text, setText] = useState(email);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = async (): Promise<void> => {
    const typed = text.trim();
    if (!EMAIL.test(typed)) setProblem("Type an address such as ann@example.com.");
    else if (await send(typed)) return onSent(typed);
    field.current?.focus();
  };
  return (
    <StepForm problem={problem} onSubmit={() => void submit()}>
      <Field label="E-mail" problem={problem}>
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
      <p class="hint">No password: we mail you a code for each sign-in. The first one opens your account.</p>
    </StepForm>
  );
};
