/** Asks for the code that is needed once after each sign-in, before the first command is allowed. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CODE_LENGTH, readCode } from "../../account/sign-in/read-code.ts";
import { useSecondsUntil } from "../../account/sign-in/use-seconds-until.ts";
import { ApiError } from "../../api/api-error.ts";
import { requestJson } from "../../api/request-json.ts";
import { sayWait } from "../../format/wait-words.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { focusProblem } from "../../parts/task/focus-problem.ts";
import { explainProblem } from "../conversation/explain-problem.ts";

/** Whether the server wants a code, which it has mailed, before this log-in may allow its first command. */
export const wantsFreshCode = (error: unknown): boolean => error instanceof ApiError && error.code === "fresh_code";

/** How long the server sends no other code, in ms, because that would make the first invalid (`src/auth/fresh-code.ts`). */
const RESEND_MS = 60_000;

type FreshCodeFormProps = {
  /** The code was right, so that the answer can be sent again. */
  readonly onEntered: () => void;
  /** Has another code sent. Rejects with `ApiError`. */
  readonly sendCode: () => Promise<void>;
};

export const FreshCodeForm = ({ onEntered, sendCode }: FreshCodeFormProps) => {
  const [code, setCode] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const [readyAtMs, setReadyAt] = useState(() => Date.now() + RESEND_MS);
  const waitS = useSecondsUntil(readyAtMs);
  const refuse = (error: unknown): void => {
    const words = explainProblem(error);
    setProblem(words);
    focusProblem(field.current, words);
  };
  const sendAgain = async (): Promise<void> => {
    if (isBusy || waitS > 0) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await sendCode();
      setReadyAt(Date.now() + RESEND_MS);
      setCode("");
      announce("A new code was sent.");
      field.current?.focus();
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };
  const send = async (): Promise<void> => {
    if (isBusy || code.length < CODE_LENGTH) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await requestJson("/_framework/auth/fresh-code", { method: "POST", body: { code } });
      onEntered();
    } catch (error) {
      refuse(error);
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
        label="Enter the code we emailed you"
        hint="Needed once after each sign-in, before the first command."
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
      <div class="more">
        <Button tone="ghost" isSmall aria-disabled={isBusy || waitS > 0} onClick={() => void sendAgain()}>
          {waitS > 0 ? `New code in ${sayWait(waitS)}` : "Send a new code"}
        </Button>
      </div>
    </form>
  );
};
