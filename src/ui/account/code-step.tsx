/** The second step of signing in: the code from the mail. */
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { CODE_LENGTH } from "./read-code.ts";
import { sayWait } from "./say-wait.ts";
import { StepForm } from "./step-form.tsx";
import type { CodeSending } from "./use-code-sending.ts";
import { useCodeTry } from "./use-code-try.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";

type CodeStepProps = {
  readonly email: string;
  readonly sending: CodeSending;
  /** Back to the address. */
  readonly onBack: () => void;
};

/** Six digits submit by themselves, typed, pasted or filled in by the phone. */
export const CodeStep = ({ email, sending, onBack }: CodeStepProps) => {
  const { field, code, type, submit, isTrying, problem: tryProblem, renew } = useCodeTry(email);
  const waitS = useSecondsUntil(sending.readyAtMs);
  const problem = sending.problem ?? tryProblem;
  const sendAgain = async (): Promise<void> => {
    if (waitS > 0) return;
    if (await sending.send(email)) {
      renew();
      announce(`A new code was sent to ${email}.`);
    }
    field.current?.focus();
  };
  return (
    <>
      <p class="muted">
        We sent a {CODE_LENGTH}-digit code to <b>{email}</b>. It counts for 5 minutes.
      </p>
      <StepForm problem={problem} onSubmit={() => void submit(code)}>
        <Field label="Code" problem={problem}>
          {(control) => (
            <input
              {...control}
              ref={field}
              class="input code"
              type="text"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              spellcheck={false}
              readOnly={isTrying}
              value={code}
              onInput={({ currentTarget }) => {
                sending.setProblem(undefined);
                type(currentTarget);
              }}
            />
          )}
        </Field>
        <Button tone="primary" type="submit" aria-disabled={isTrying}>
          {isTrying ? "Signing in…" : "Sign in"}
        </Button>
        <div class="ways">
          <Button tone="ghost" aria-disabled={waitS > 0 || sending.isSending} onClick={() => void sendAgain()}>
            {waitS > 0 ? `New code in ${sayWait(waitS)}` : "Send a new code"}
          </Button>
          <Button tone="ghost" onClick={onBack}>
            Change e-mail
          </Button>
        </div>
      </StepForm>
    </>
  );
};
